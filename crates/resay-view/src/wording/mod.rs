//! Ids of the library in plain English: the one place where features, base models, rules and stages have names.

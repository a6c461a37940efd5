//! What things are, as values that are compared: features, base models, rules, relations. No English in here, and none is
//! ever compared; how things are called for people stands in the crate `resay-view`. Model files keep the codes of these
//! ids, so a better name never breaks a model.

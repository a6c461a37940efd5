//! Machines over sparse vectors and Gram matrices; nothing here sees text.

//! A regression tree.

/// A node. The root comes first, children behind their parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeNode {
    /// The input that it asks for.
    pub input: u16,
    /// Rows whose input is at most this go to the first child.
    pub threshold: f32,
    /// The place of the first child; the second one follows it. 0 for a leaf.
    pub child: u32,
    /// The value of a leaf, or the value that the node had before it was split.
    pub value: f32,
}

/// A regression tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The nodes.
    pub nodes: Vec<TreeNode>,
}

impl Tree {
    /// The nodes from the root to the leaf of these inputs.
    fn path(&self, inputs: &[f32]) -> impl Iterator<Item = &TreeNode> {
        let mut next = self.nodes.first();
        std::iter::from_fn(move || {
            let node = next?;
            next = (node.child > 0).then(|| {
                let is_left = inputs[usize::from(node.input)] <= node.threshold;
                &self.nodes[node.child as usize + usize::from(!is_left)]
            });
            Some(node)
        })
    }

    /// The value of the leaf of these inputs.
    pub fn value(&self, inputs: &[f32]) -> f32 {
        self.path(inputs).last().map_or(0.0, |leaf| leaf.value)
    }

    /// Adds to each part what its input contributes, and returns the value of the root.
    pub(super) fn explain(&self, inputs: &[f32], parts: &mut [f64]) -> f64 {
        let mut before: Option<&TreeNode> = None;
        for node in self.path(inputs) {
            if let Some(parent) = before {
                parts[usize::from(parent.input)] += f64::from(node.value) - f64::from(parent.value);
            }
            before = Some(node);
        }
        self.nodes.first().map_or(0.0, |root| f64::from(root.value))
    }

    /// Adds to each input's sum how far its splits move the value.
    pub(super) fn add_spread(&self, sums: &mut [f64]) {
        for node in self.nodes.iter().filter(|node| node.child > 0) {
            let child = node.child as usize;
            sums[usize::from(node.input)] += f64::from((self.nodes[child + 1].value - self.nodes[child].value).abs());
        }
    }
}

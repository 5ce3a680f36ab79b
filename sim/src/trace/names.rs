//! The names of a run's nodes.

use std::sync::Arc;

use crate::world::network::NodeId;

/// The names of a run's nodes, by number. A clone shares them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(Arc<Shared>);

/// One behind the other, since a run may have 100,000.
#[derive(Debug, Default, PartialEq, Eq)]
struct Shared {
    texts: String,
    /// Where each name ends, and whether the node is a client that keeps a presence and not a lock.
    nodes: Vec<(u32, bool)>,
}

impl Names {
    /// The names of all nodes as they are added in their order, each with whether it keeps a presence.
    pub(crate) fn new(add_all: impl FnOnce(&mut dyn FnMut(&str, bool))) -> Self {
        let mut named = Shared::default();
        add_all(&mut |name, keeps_presence| {
            named.texts.push_str(name);
            let end = u32::try_from(named.texts.len()).expect("names fill less than 4 GiB");
            named.nodes.push((end, keeps_presence));
        });
        named.texts.shrink_to_fit();
        named.nodes.shrink_to_fit();
        Self(Arc::new(named))
    }

    fn get(&self, node: NodeId) -> Option<(&str, bool)> {
        let Shared { texts, nodes } = &*self.0;
        let (end, keeps_presence) = *nodes.get(node.index())?;
        let before = node.index().checked_sub(1).map(|before| nodes[before].0);
        let start = before.unwrap_or_default() as usize;
        Some((&texts[start..end as usize], keeps_presence))
    }

    /// The name of a node.
    pub fn of(&self, node: NodeId) -> &str {
        self.get(node).map_or("?", |(name, _)| name)
    }

    /// The noun for what a client keeps: `lock` or `presence`.
    pub fn thing(&self, node: NodeId) -> &'static str {
        match self.get(node) {
            Some((_, true)) => "presence",
            Some((_, false)) | None => "lock",
        }
    }

    /// All nodes with their names.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &str)> {
        (0..=u32::MAX).map(NodeId).map_while(|node| self.get(node).map(|(name, _)| (node, name)))
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.0.nodes.len()
    }

    /// True if there is no node.
    pub fn is_empty(&self) -> bool {
        self.0.nodes.is_empty()
    }
}

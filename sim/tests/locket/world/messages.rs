//! How long messages take, and which are lost or doubled.

use super::rig::*;
use locket_sim::world::DATABASE;
use locket_sim::world::network::{LinkChange, LinkRule, Network};
use locket_sim::world::{World, WorldSettings};

#[test]
fn a_message_takes_as_long_as_its_link() {
    let mut network = Network::new(LinkRule::fixed(ms(30)));
    let settings = settings(vec![client(upstream("k", "a"))]);
    let process = World::new(settings.clone()).process(0);
    network.set_rule(process, DATABASE, LinkRule::fixed(ms(7)));
    network.set_rule(DATABASE, process, LinkRule::fixed(ms(2)));
    let mut rig = Rig::new(WorldSettings { network, ..settings });

    rig.act(|step| step.start_client(0));
    rig.run_to(1_000);

    assert_eq!(rig.called(rig.a()), [0]);
    assert_eq!(rig.written(), [(37, "a".to_owned(), 1)]);
    assert_eq!(rig.acquired(rig.a()), [69]);
}

#[test]
fn what_is_on_its_way_when_a_link_is_cut_arrives() {
    let mut rig = Rig::distant_holder_and(vec![], ms(100));
    let (a, locket) = (rig.a(), rig.locket());

    rig.run_to(50);
    rig.act(|step| step.cut(a, locket, false));
    rig.run_to(1_000);

    assert_eq!(rig.acquired(a).len(), 1);
}

#[test]
fn a_message_that_arrives_twice_harms_no_runner() {
    let run = |duplicates_per_mille| {
        let rule = LinkRule {
            duplicates_per_mille,
            latency_min: ms(10),
            latency_max: ms(700),
            ..LinkRule::default()
        };
        let clients = vec![client(upstream("k", "a")), client(safe("k2", "b"))];
        let mut rig = Rig::new(WorldSettings { network: Network::new(rule), ..settings(clients) });
        rig.act(|step| step.start_client(0));
        rig.act(|step| step.start_client(1));
        rig.run_to(60_000);
        rig
    };

    let (once, twice) = (run(0), run(1_000));

    assert!(twice.written().len() > once.written().len());
    for node in [once.a(), once.b()] {
        assert_eq!(twice.renewed(node), once.renewed(node));
        assert_eq!(twice.lost(node), [0; 0]);
    }
    assert_eq!(twice.believers(), [0, 1]);
}

#[test]
fn an_answer_at_the_very_end_of_a_callers_timeout_counts() {
    let mut rig =
        Rig::new(WorldSettings { network: distant(ms(100)), ..settings(vec![by_hand()]) });
    rig.act(|step| step.call(0, lock("k", "a"), Some(ms(200))));
    rig.act(|step| step.call(0, lock("k", "a"), Some(ms(199))));
    rig.run_to(1_000);
    rig.act(|step| step.call(0, lock("k", "a"), Some(ms(200))));
    rig.run_to(2_000);

    let late = (199, "DeadlineExceeded".to_owned());
    assert_eq!(rig.answers(rig.a()), [late, (1_200, "Lock".to_owned())]);
}

/// A change of the link from `a` to the process, at a time, for a time.
fn change(rig: &mut Rig, at: u64, change: LinkChange, duration: Option<u64>) {
    rig.run_to(at);
    let link = (rig.a(), rig.locket());
    rig.act(|step| step.change_links(&[link], change, duration.map(ms)));
}

/// The state of that link.
fn link(rig: &mut Rig) -> (bool, u64, u32) {
    let (a, locket) = (rig.a(), rig.locket());
    let network = rig.world.network();
    let rule = network.rule(a, locket);
    (network.is_cut(a, locket), rule.latency_min.as_ms(), rule.loss_per_mille)
}

const SLOW: LinkChange = LinkChange::Latency(LinkRule {
    latency_min: ms(70),
    latency_max: ms(70),
    latency_step: ms(0),
    loss_per_mille: 0,
    duplicates_per_mille: 0,
});

#[test]
fn each_kind_of_change_of_a_link_ends_after_its_time() {
    let mut rig = Rig::holder_and(vec![]);
    change(&mut rig, 1_000, LinkChange::Cut(true), Some(10));
    change(&mut rig, 1_000, SLOW, Some(20));
    change(&mut rig, 1_000, LinkChange::Loss(300), Some(30));

    assert_eq!(link(&mut rig), (true, 70, 300));
    rig.run_to(1_010);
    assert_eq!(link(&mut rig), (false, 70, 300));
    rig.run_to(1_020);
    assert_eq!(link(&mut rig), (false, 0, 300));
    rig.run_to(1_030);
    assert_eq!(link(&mut rig), (false, 0, 0));
}

#[test]
fn a_later_change_of_a_link_replaces_the_end_of_an_earlier_one() {
    for (length, at_the_end) in [(Some(100), (false, 0, 0)), (None, (false, 0, 500))] {
        let mut rig = Rig::holder_and(vec![]);
        change(&mut rig, 1_000, LinkChange::Loss(300), Some(100));
        change(&mut rig, 1_050, LinkChange::Loss(500), length);

        rig.run_to(1_100);
        assert_eq!(link(&mut rig), (false, 0, 500));
        rig.run_to(60_000);
        assert_eq!(link(&mut rig), at_the_end);
    }
}

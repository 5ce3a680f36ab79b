// The shipped stories: which, in which order, and the moment that each is about.

import allLocketProcessesRestart from '../../../sim/scenarios/all-locket-processes-restart.json?raw';
import collisionWhileTheHolderRenews from '../../../sim/scenarios/collision-while-the-holder-renews.json?raw';
import failoverLosesTheInsert from '../../../sim/scenarios/failover-loses-the-insert.json?raw';
import firstAttemptHasNoDeadline from '../../../sim/scenarios/first-attempt-has-no-deadline.json?raw';
import holderCrashes from '../../../sim/scenarios/holder-crashes.json?raw';
import holderHandsOverCleanly from '../../../sim/scenarios/holder-hands-over-cleanly.json?raw';
import holderPausedLongerThanItsLease from '../../../sim/scenarios/holder-paused-longer-than-its-lease.json?raw';
import jointLockLosesOneOfTwoKeys from '../../../sim/scenarios/joint-lock-loses-one-of-two-keys.json?raw';
import jointLockSecondKeyNotHadInTime from '../../../sim/scenarios/joint-lock-second-key-not-had-in-time.json?raw';
import lateReleaseAfterARestart from '../../../sim/scenarios/late-release-after-a-restart.json?raw';
import lockThatNobodyRenewsExpires from '../../../sim/scenarios/lock-that-nobody-renews-expires.json?raw';
import oneLostRenewalBeforeOctober2025 from '../../../sim/scenarios/one-lost-renewal-before-october-2025.json?raw';
import operatorEvictsTheHolder from '../../../sim/scenarios/operator-evicts-the-holder.json?raw';
import presenceComesBackAfterAGap from '../../../sim/scenarios/presence-comes-back-after-a-gap.json?raw';

/** A scenario that tells something. */
export interface Story {
  /** The file's name without its ending; what links say. */
  id: string;
  title: string;
  /** The moment at which it stops to be looked at. */
  momentMs: number;
  /** The scenario. */
  text: string;
}

// Begins with the one that shows the most at a glance.
export const stories: readonly [Story, ...Story[]] = [
  { id: 'holder-paused-longer-than-its-lease', title: 'A pause longer than the lease', momentMs: 26_000, text: holderPausedLongerThanItsLease },
  { id: 'first-attempt-has-no-deadline', title: 'The first attempt has no deadline', momentMs: 25_000, text: firstAttemptHasNoDeadline },
  { id: 'one-lost-renewal-before-october-2025', title: 'One lost renewal, before October 2025', momentMs: 24_000, text: oneLostRenewalBeforeOctober2025 },
  { id: 'late-release-after-a-restart', title: 'A late Release after a restart', momentMs: 17_900, text: lateReleaseAfterARestart },
  { id: 'failover-loses-the-insert', title: 'A database failover loses a commit', momentMs: 4_500, text: failoverLosesTheInsert },
  { id: 'operator-evicts-the-holder', title: 'An operator evicts the holder', momentMs: 9_500, text: operatorEvictsTheHolder },
  { id: 'collision-while-the-holder-renews', title: 'Collision: the lock at work', momentMs: 17_000, text: collisionWhileTheHolderRenews },
  { id: 'lock-that-nobody-renews-expires', title: 'Expiry and takeover', momentMs: 17_000, text: lockThatNobodyRenewsExpires },
  { id: 'holder-hands-over-cleanly', title: 'A graceful handover', momentMs: 12_000, text: holderHandsOverCleanly },
  { id: 'holder-crashes', title: 'The holder crashes', momentMs: 22_000, text: holderCrashes },
  { id: 'all-locket-processes-restart', title: 'Locket restarts', momentMs: 32_000, text: allLocketProcessesRestart },
  { id: 'presence-comes-back-after-a-gap', title: 'A presence comes back', momentMs: 30_000, text: presenceComesBackAfterAGap },
];

/** Clients that act only while they hold all of their keys. */
export const jointStories: readonly Story[] = [
  { id: 'joint-lock-loses-one-of-two-keys', title: 'A leader loses one of its two keys', momentMs: 17_500, text: jointLockLosesOneOfTwoKeys },
  { id: 'joint-lock-second-key-not-had-in-time', title: 'The second key is not acquired in time', momentMs: 21_000, text: jointLockSecondKeyNotHadInTime },
];

const all = [...stories, ...jointStories];

export function storyNamed(id: string | null): Story | undefined {
  return all.find((story) => story.id === id);
}

/** Their texts by name: links to what was made of them say only what is different. */
export const storyTexts = Object.fromEntries(all.map(({ id, text }) => [id, text]));

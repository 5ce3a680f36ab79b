// The words that this project does not use, and what it says instead. The check of the prose reads this table; so does
// anyone who writes.
//
// Each line has patterns, the advice, and sentences that the patterns must hit: `tests/docs/prose.test.mjs` puts each back.
// A pattern says what is meant, and no more: `deed` but not `indeed`. Blanks in it stand for any white space.

export const WORDS = [
  // -- terms of the field
  { not: [/\bdeeds?\b/], say: 'action; fault', found: ['an unknown deed', 'What other deeds exist'] },
  { not: [/\bbefall(s|en)?\b/, /\bbefell\b/], say: 'name the fault: "a fault of the database"', found: ['a fault that befalls a node'] },
  { not: [/\btroubles?\b/], say: 'fault', found: ['a day with troubles'] },
  { not: [/\bst(ands?|ood|anding) still\b/], say: 'is paused; is frozen', found: ['while the owner stands still', 'its clock stood still'] },
  { not: [/\bgo(es)? by (itself|themselves)\b/, /\bwent by itself\b/], say: 'expires; is deleted', found: ['the lock goes by itself'] },
  { not: [/\b(is|are|was|were|be|has been) gone\b/], say: 'expires; is deleted; has ended', found: ['after 15 s the lock is gone'] },
  { not: [/\bact(s|ing)? at once\b/, /\bowners at once\b/, /\btwo act\b/], say: 'two owners at the same time', found: ['two act at once', 'never two owners at once', 'where two act'] },
  { not: [/\bacts? as (the |an )?owners?\b/], say: 'believes it holds the lock', found: ['bbs-0 acts as the owner from here on'] },
  { not: [/\bbelieves? to (hold|own|have)\b/], say: 'believes it holds the lock', found: ['two believe to hold it'] },
  { not: [/\b(is|are|was|were|be|being) told\b/, /\btold (with|so)\b/], say: 'learns; name the message, event or cause', found: ['is told with it', 'A process was told so'] },
  { not: [/\bhe(ar|ard|ars) (of|from|that|first|nothing)\b/, /\bheard\b/], say: 'receives the event; learns', found: ['the owner hears first', 'what it heard'] },
  { not: [/\bdanger (profile|strip|search)/, /\bhow near (it|each|a run) (is|comes)\b/], say: 'safety margin', found: ['the danger profile of a run'] },
  { not: [/\bhow it comes about\b/, /\bthe way it goes wrong\b/, /\bcomes? about\b/], say: 'counterexample; schedule', found: ['and how it comes about'] },
  { not: [/\bproved:/, /\bproved safe\b/, /\bnot proved\b/], say: 'safe within these bounds; unknown', found: ['proved: no two owners', 'not proved safe: violated', 'Proved safe'] },
  { not: [/\bmistakes?\b/, /\bmistaken\b/], say: 'validation error; bug; wrong', found: ['a mistake in a scenario'] },
  { not: [/\b(outlooks?|situations?)\b/], say: 'canonical state; interned state', found: ['the outlook of a client', 'in every situation'] },
  { not: [/\bminds?\b/], say: 'state', found: ["the client's mind"] },
  { not: [/(?<!\bat )\bleast\b(?! (recently|significant|common))/], say: 'boundary search; smallest', found: ['the least of a failing run'] },
  { not: [/\btwins?\b/, /\bone too many\b/], say: 'say what the index means', found: ['The first is not one too many, and its own twin.'] },
  { not: [/\bof a failing run matters\b/], say: 'minimize a failing run', found: ['what of a failing run matters'] },
  { not: [/\bmemory back\b/], say: 'frees its memory', found: ['Gives its memory back'] },
  { not: [/\bsettings stand\b/], say: 'Which production settings are safe?', found: ['What production settings stand'] },
  { not: [/\bexpected \S+ to hold the lock\b/], say: "expected lock 'leader' to be held by 'a', but 'b' holds it", found: ['expected a to hold the lock leader; b does'] },
  { not: [/\bowner of a lock stop\b/], say: 'force a failover', found: ['Make the owner of a lock stop, as an operator does'] },
  { not: [/\bsay it by\b/], say: 'Pass --url or set LOCKET_URL', found: ['where is Locket? say it by --url'] },
  { not: [/\bexpected otherwise\b/], say: 'say what was found and what was expected, with times', found: ['expected otherwise: two owners of bbs'] },

  { not: [/\bgo(es)? another way\b/], say: 'the simulation and the search disagree at step N', found: ['the world goes another way than the schedule'] },
  { not: [/\bnothing else would do\b/], say: 'say which conditions the failure needs', found: ['takes 6.0 s, and nothing else would do'] },
  { not: [/\bthe longer the bar\b/], say: 'say what the length means', found: ['the longer the bar, the more it takes'] },
  { not: [/\bcalm(ly|er)?\b/, /\bthe cast\b/], say: 'no faults; clients and processes', found: ['a calm network', 'the cast of a scenario'] },

  // -- subjects without a name
  { not: [/\bwh(oever|omever)\b/], say: 'name the client, owner or holder', found: ['Whoever treats that as a refusal'] },
  { not: [/\b(some|any|no|every)body\b/, /\b(some|any)one(?! of)\b/, /\bno one\b/], say: 'name the client, owner, reader or caller', found: ['nobody holds it', 'somebody opens it', 'clients that no one here wrote'] },
  { not: [/\b(?:than|as|is|for|and|by|of|to|from) one (that|which|who)\b/, /\b(?<!\w\s+)one (that|which|who)\b/], say: 'name the thing', found: ['for one that is paused', 'One that is not held expires.'] },
  { not: [/\b(him|her)self\b/], say: 'name the client; "itself"', found: ['waits for himself'] },
  { not: [/\bwhat there is\b/], say: 'name the thing: "lists the routes"', found: ['GET / lists what there is'] },
  { not: [/\bwhat is not \w+ed\b/], say: 'name the thing: "a lock that is not renewed expires"', found: ['what is not renewed expires'] },

  // -- word order
  { not: [/\bnever (is|are|was|were|will|can) (it|there)\b/], say: 'subject, verb, object', found: ['never is it so that two owners act'] },
  { not: [/\bBefore [^.,;]{1,40} goes (?!to|on|down|up|through|away|back)/], say: 'subject, verb, object: "Put Envoy in front of Locket"', found: ['Before a real Locket goes Envoy'] },
  { not: [/\bwants? (it|them)\b(?= (too|as well))/], say: 'name the thing', found: ['another client wants it too'] },

  // -- numbers
  { not: [/(?<![\w.-])1 (faults|owners|clients|states|rows|locks|losses|pauses|seconds|messages|failures|schedules|lines|runs|steps|processes)\b/], say: 'a number and its noun agree: "1 fault"', found: ['with 1 faults'] },
  { not: [/\b\d{5,} ?ms\b/], say: 'a duration as a person says it: "26.97 s"', found: ['two owners for 26970ms'] },
];

/** A sentence that begins with a clause in place of a subject. Questions may. */
export const CLAUSE_AS_SUBJECT = /^(What|Whoever|Whichever)\b(?! (if|about|else)\b)(?!.*\?\W*$)/s;

/** Terms that the README explains where it first uses them: there they stand in bold. */
export const README_TERMS = ['Locket', 'presence', 'owner', 'TTL', 'lease', 'runner'];

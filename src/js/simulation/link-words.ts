// Phrases that occur in many scenarios: links refer to them. They are part of the links' form and never change, since older
// links would not open any more. Other phrases need another version. The lines are for human readers.

export const WORDS = `"processes":2,
"random":true,
"overrides":{"t15000.0":1},
"network":{"latency":"10ms","max":"2s","loss":"5%","duplicates":"1%"},
"database":{"latency":{"min":"1ms","max":"20ms","step":"1ms"},"replyLoss":"2%"},
"runner":"cloud-controller""runner":"upstream-before-2025-10""clock":{"offset":"3600s","ratePpm":-100000}
"value":"""process":1 "owner":"""do":"lock-without-resource""do":"fail-over","lostCommits":2
"do":"delete-row","key":"do":"put-row","do":"drop-table""do":"lose-replies""do":"stall","for":"12s"
"do":"crash","node":"database""do":"restart","node":"locket-0""do":"stop""do":"start""do":"resume"
"do":"set-latency","from":"locket","to":"do":"lose-messages","oneWay":true"do":"suspend"
{"acts":[{"at":"7s","count":3,"act":{"at":"0s","do":"pause","node":"call":{"client":"method":"
the holder of the lock is paused for longer than its lease, and the row expires while it still believes
a presence runner goes on trying; a lock runner exits once an attempt to renew fails
and so two owners act at once. A longer TTL, a shorter retry interval, or the safe runner would avoid it.
the reply is lost after the commit, the renewal of 10.0 s times out, the next attempt collides: another owner holds it
nobody holds it, Locket answers, the database does not, the process restarts and knows the row with its full TTL
"noEvent":"ends"},
{"key":"bbs","twoOwnersFor":"0s"}
{"at":"31s","event":"cell-1 expires: has not renewed it within its TTL"},
{"at":"15s","event":"stops acting: its renewal failed with context deadline exceeded"},
{"at":"20s","event":"will try again: lock-collision"},
{"at":"29.999s","key":"bbs","owner":null,"believers":[]},
{"at":"30s","key":"bbs","owner":"bbs-1","believers":["bbs-0","bbs-1"]},
],
"expect":[
{"at":"22s","node":"cell-1","do":"fetch"},
{"at":"5s","node":"bbs-0","do":"lock","every":"5s","until":"40s"},
{"at":"38s","node":"bbs-1","do":"release"},
{"at":"26s","do":"heal","from":"bbs-0","to":"locket"},
{"at":"6s","do":"cut","from":"bbs-0","to":"locket"},
{"at":"7s","do":"pause","node":"bbs-0","for":"12s"},
{"at":"0s","do":"note","text":"0.0 s: bbs-0 takes the lock; the row dies at 15.0 s"},
"actions":[
{"name":"cell-1","kind":"presence","key":"cell-1","ttl":"15s","retryInterval":"5s"}
{"name":"bbs-0","kind":"lock","key":"bbs","ttl":"15s","retryInterval":"5s"},
{"name":"bbs-1","key":"bbs","ttl":"15s","retryInterval":"5s","runner":"safe","startAt":"1s"}
],
"clients":[
"profile":"upstream",
"seed":1,
"until":"30s",
{"at":"30s","count":12,"digest":"
{"name":"","description":"`.replaceAll('\n', '');

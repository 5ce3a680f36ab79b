// The requests of the control endpoint in words, which the command line has in its help.

/** The requests of the control endpoint: method, path and effect. Bodies and answers are JSON. */
export const CONTROL_HELP = `GET  /now                            the clock, in ms; * needs a virtual one
POST /advance    {"duration":"15s"}  let time pass *
POST /advance-to {"time":"15s"}      let time pass until 15 s *
POST /next                           go to the next event *
GET  /table                          the rows of the locks table
GET  /stats                          the counters of operators
POST /stop       {"process":0}       crash a process
POST /start      {"process":0}       start it again
POST /restart    {"process":0}       stop and start it
POST /latency    {"latency":"200ms"} set how long answers take
POST /lose-insert-race {"owner":"b"} let b take the next free key first
POST /stall-database {"duration":"5s"} stall the database
POST /stop-database                  stop the database; its rows stay
POST /start-database                 start the database again
POST /lose-replies {"count":1}       lose the database's next replies; their
                                     calls still have their effect
POST /drop-table                     drop the table; the next call ends its
                                     process, and a start creates the table
`;

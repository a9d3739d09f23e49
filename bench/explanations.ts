/** Causes of missed goals, by the id of the row; printed only while the goal is missed. */

const onTwoCores =
  'The load generator and PostgreSQL run on the same two cores, and each node has only half of the calls for its transactions.'

const tail =
  'The computation is not the cause: it takes about as long in every call. The longest calls waited for a core, which the scheduler had given to another thread or process, or for the flush of the disk. In the run that showed this, p99 was 7.6 × p50 on one core and 2.9 × on two, in both cases less than that of FastAPI.'

export const explanations: Readonly<Record<string, string>> = {
  'http-sqlite':
    'The ratio depends on the processor and on the state of the bare route, which varies from process to process. In three runs within an hour the bare route served 39,200, 58,400 and 61,400 requests/s, with 16 to 24 µs of processor time per request; this service served 18,400 to 19,700, with 45 µs. On a slower processor the bare route took 42 µs and this service 69, a ratio of 0.605 (commit 992058d): what metering adds, 27 to 29 µs, hardly depends on the processor, because much of it is kernel work for disk and sockets. Of 43 µs in a profile, writing the reply with its 14 headers takes 9, SQLite’s transaction 8, and forcing the log to disk 6.5 (shared by some 20 calls). The rest is reading, checking and metering the request; no part of it exceeds 1.',
  'http-fastapi': 'It is the same call as in the row above; the difference is the cost of durability.',
  'http-postgres':
    'Between 0.26 and 0.34 in the runs of one day on this processor, 0.48 and 0.52 on a slower one (commit 992058d); the bare route varies as on SQLite. Each group of 18 to 28 calls takes two round trips and a COMMIT on the other core, one group at a time; our core waits a third of the time. Starting the next group during a COMMIT makes groups smaller: measured at 0.78 to 1.05 of the throughput. Deciding a group on the rows that the one before left, and confirming them within the transaction, takes one round trip: 1.06 of the throughput in alternating rounds on a busy machine, with the same processor time; it was not kept, because an attempt of unknown outcome then holds no locks that a repetition could wait for. Not looking up a usable key again for 100 ms: no difference there. Two groups in flight over disjoint accounts settled 1.29 to 1.44 times as many calls of 64 accounts in the same conditions, and help no single account. Of the processor time per call (52 to 69 µs), socket writes take a quarter, driver and rows about as much; the rest is as on SQLite. PostgreSQL takes another 30 µs on the core that it shares with the generator.',
  'processes-cost-cheap': onTwoCores,
  'processes-cost-cheap-256': onTwoCores,
  'processes-work': onTwoCores,
  'tail-p50-one': tail,
  'tail-p50-two': tail,
  'tail-fastapi-one': tail,
  'tail-fastapi-two': tail,
  'columns-arrow':
    'Of 28 ms of processor time for a request of 100,000 rows the kernel takes 16 to 18, its row loop 2.5, the event loop 5 (receiving 4 MB, most of it in the system) and the sender 1.4; half of both cores would allow 34. The rest is time in which a core waits for the other at the beginning and the end of a request.',
  batch:
    'Of 2.7 µs per call, reading, checking, pricing and printing take 1.6 µs (JSON.parse 0.53 µs, which is the minimum, counting brackets and commas 0.2 µs, validation 0.3 µs, price 0.1 µs, text 0.2 µs). The rest is moving the bytes between socket, threads and socket, garbage collection in the worker (its young generation is small, so that a thread that uses too much memory ends instead of the process), and waiting for admission and disk. The goal allows 1.9 µs, and less with each gain of single calls, which became a sixth faster.',
}

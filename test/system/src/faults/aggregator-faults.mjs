// Preloaded (--import) into the aggregators of the fault suite, never part of the product. It wraps what the program
// calls between poll and commit, so that the process is killed or stopped at a named step; leads the connections to the
// broker through the suite's relay; and shifts the process's clock.
import { writeSync } from 'node:fs';
import { createRequire, flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { FAULT_ROOT: root, FAULT_STEP: armed, FAULT_ACTION: action, FAULT_AFTER: after } = process.env;
const { FAULT_BROKER_PORT: brokerPort, FAULT_RELAY_PORT: relayPort, FAULT_CLOCK_MS: shift } = process.env;
const tradesTopic = process.env.DEX_TRADES_TOPIC;
const inFlightMs = 2;
// Who is killed keeps no compiled code for the next start.
setTimeout(flushCompileCache, 3_000).unref();

let left = Number(after ?? 1);
function reach(step) {
  if (step !== armed) return;
  left -= 1;
  if (left !== 0) return;
  writeSync(1, `fault: ${action} at ${step}\n`);
  process.kill(process.pid, action);
}

/** Wraps a method; `named` tells from its arguments which step a call is, or nothing. */
function instrument(owner, method, named) {
  const original = owner[method];
  owner[method] = async function (...args) {
    const step = named(...args);
    if (step === undefined) return original.apply(this, args);
    reach(`before ${step}`);
    const timer = setTimeout(() => reach(`during ${step}`), inFlightMs);
    try {
      const result = await original.apply(this, args);
      reach(`after ${step}`);
      return result;
    } finally {
      clearTimeout(timer);
    }
  };
}

function ownerOf(object, method) {
  for (let one = object; one !== null; one = Object.getPrototypeOf(one)) if (Object.hasOwn(one, method)) return one;
  throw new Error(`the fault suite knows another version: no method ${method}`);
}

if (Number(shift ?? 0) !== 0) {
  const Original = Date;
  globalThis.Date = class extends Original {
    constructor(...args) {
      super(...(args.length === 0 ? [Original.now() + Number(shift)] : args));
    }
    static now() {
      return Original.now() + Number(shift);
    }
  };
}

if (relayPort !== undefined) {
  const connect = Reflect.get(Socket.prototype, 'connect');
  Socket.prototype.connect = function (...args) {
    const options = Array.isArray(args[0]) ? args[0][0] : args[0];
    if (String(options?.port) === brokerPort) options.port = Number(relayPort);
    return Reflect.apply(connect, this, args);
  };
}

function statement({ query }) {
  if (query.startsWith('INSERT INTO jetton_legs_v1')) return 'ledger insert';
  if (query.startsWith('INSERT INTO touched_buckets_v1')) return 'touched buckets insert';
  if (query.startsWith('INSERT INTO jetton_trades_per_minute_v1')) return 'jetton minutes recompute';
  if (query.startsWith('INSERT INTO pool_trades_per_minute_v1')) return 'pool minutes recompute';
  if (/^SELECT[\s\S]*FROM jetton_trades_per_minute_v1 FINAL[\s\S]*touched_buckets_v1/.test(query)) {
    return query.includes('version_sum') ? 'publication check' : 'publication read';
  }
  return undefined;
}

const ofPackage = (name) => createRequire(join(root, `packages/${name}/package.json`));
const ingestTrades = async () => {
  const { IngestTrades } = await import(pathToFileURL(join(root, 'apps/aggregator/dist/trades/ingest-trades.js')).href);
  return IngestTrades.prototype;
};

if (process.env.FAULT_TELL_BATCHES !== undefined) {
  const owner = await ingestTrades();
  const { ingest } = owner;
  owner.ingest = function (batch) {
    writeSync(1, `fault: begins ${batch.partition} ${batch.firstOffset} ${batch.lastOffset}\n`);
    return ingest.call(this, batch);
  };
  const { prototype } = ofPackage('kafka')('kafkajs/src/broker');
  const { offsetCommit } = prototype;
  prototype.offsetCommit = async function (request) {
    const answer = await offsetCommit.call(this, request);
    for (const { topic, partitions } of request.topics) {
      if (topic !== tradesTopic) continue;
      for (const { partition, offset } of partitions) writeSync(1, `fault: commits ${partition} ${offset}\n`);
    }
    return answer;
  };
}

if (armed !== undefined) {
  const { createClient } = ofPackage('clickhouse')('@clickhouse/client');
  const client = createClient({});
  for (const method of ['exec', 'command', 'query']) instrument(ownerOf(client, method), method, statement);
  await client.close();

  const Broker = ofPackage('kafka')('kafkajs/src/broker');
  instrument(Broker.prototype, 'produce', ({ topicData }) => {
    const [topic = ''] = topicData.map((one) => one.topic);
    if (topic.endsWith('rollup.minute.v1')) return 'publication send';
    return topic === `${tradesTopic}.dlq` ? 'dead letters send' : undefined;
  });
  instrument(Broker.prototype, 'offsetCommit', ({ topics }) =>
    topics.some(({ topic }) => topic === tradesTopic) ? 'commit' : undefined,
  );
  instrument(await ingestTrades(), 'ingest', () => 'batch');
}

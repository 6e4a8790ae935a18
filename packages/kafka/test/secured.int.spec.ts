import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, type RunningKafka, startKafka } from '@jetton-analytics/embedded';
import { z } from 'zod';
import { createKafka, kafkaSettings, resolveConnections, sourceKafkaSettings } from '../src/index.js';
import { type KafkaBench, openBench } from './support/kafka-bench.js';
import { silent } from './support/silent.js';

const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url));
const user = { name: 'reader', password: 'secret42' };
const topic = 'secured.trades';

let folder: string;
let broker: RunningKafka;
let bench: KafkaBench;
let address: string;
let authority: string;
let strangeAuthority: string;

/** A key with a self-signed certificate of 127.0.0.1; returns the PKCS12 file and the certificate's PEM file. */
function makeCertificate(name: string): { keystore: string; pem: string } {
  const [keystore, pem] = [join(folder, `${name}.p12`), join(folder, `${name}.pem`)];
  const store = ['-alias', 'broker', '-storetype', 'PKCS12', '-keystore', keystore, '-storepass', 'changeit'];
  const subject = ['-dname', 'CN=127.0.0.1', '-ext', 'san=ip:127.0.0.1', '-validity', '2', '-keyalg', 'EC'];
  execFileSync('keytool', ['-genkeypair', ...store, ...subject], { stdio: 'pipe' });
  writeFileSync(pem, execFileSync('keytool', ['-exportcert', '-rfc', ...store], { stdio: 'pipe' }));
  return { keystore, pem };
}

/** A client of the feed by its settings, as an operator would give them. */
function sourceOf(settings: Record<string, string>) {
  const env = z.object({ ...kafkaSettings, ...sourceKafkaSettings }).parse({
    KAFKA_BROKERS: broker.brokers.join(','),
    SOURCE_KAFKA_BROKERS: address,
    SOURCE_KAFKA_TLS: 'true',
    SOURCE_KAFKA_TLS_CA_FILE: authority,
    SOURCE_KAFKA_SASL_USERNAME: user.name,
    SOURCE_KAFKA_SASL_PASSWORD: user.password,
    ...settings,
  });
  return createKafka(resolveConnections(env).source, silent);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'jetton-secured-'));
  const [own, strange] = [makeCertificate('own'), makeCertificate('strange')];
  [authority, strangeAuthority] = [own.pem, strange.pem];
  const port = await freePort();
  address = `127.0.0.1:${port}`;
  broker = await startKafka({
    dataDir: join(folder, 'data'),
    cacheDir: join(repositoryRoot, '.cache'),
    port: await freePort(),
    heapMb: 256,
    secure: { port, keystore: { file: own.keystore, password: 'changeit' }, users: [user] },
  });
  bench = await openBench(broker.brokers);
  await bench.newTopic(topic);
  await bench.producer.send(topic, [{ key: null, value: Buffer.from('one trade') }]);
}, 90_000);

afterAll(async () => {
  await bench?.close();
  await broker?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

describe('a feed on a cluster with TLS and logins', () => {
  it.each(['plain', 'scram-sha-256', 'scram-sha-512'])('is read after a login by %s', async (mechanism) => {
    const consumer = sourceOf({ SOURCE_KAFKA_SASL_MECHANISM: mechanism }).consumer({ groupId: `by-${mechanism}` });
    await consumer.connect();
    try {
      await consumer.subscribe({ topics: [topic], fromBeginning: true });
      const first = Promise.withResolvers<string | undefined>();
      await consumer.run({ eachMessage: async ({ message }) => first.resolve(message.value?.toString()) });
      expect(await first.promise).toBe('one trade');
    } finally {
      await consumer.disconnect();
    }
  });

  it('refuses a wrong password by name', async () => {
    const settings = { SOURCE_KAFKA_SASL_MECHANISM: 'scram-sha-512', SOURCE_KAFKA_SASL_PASSWORD: 'another' };
    const admin = sourceOf(settings).admin();
    await expect(admin.connect()).rejects.toThrow(/auth/i);
    await admin.disconnect();
  });

  it('is not trusted with a certificate of another authority', async () => {
    const settings = { SOURCE_KAFKA_SASL_MECHANISM: 'plain', SOURCE_KAFKA_TLS_CA_FILE: strangeAuthority };
    const admin = sourceOf(settings).admin();
    await expect(admin.connect()).rejects.toThrow(/self.signed certificate/);
    await admin.disconnect();
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, type RunningKafka, startKafka } from '@jetton-analytics/embedded';
import { hasProgram } from '@jetton-analytics/testing';
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
let mutualAddress: string;
/** Certificates of clients: one that the broker trusts, one that it does not. */
let client: { pem: string; key: string };
let stranger: { pem: string; key: string };

/** A key with a self-signed certificate of 127.0.0.1: both as PEM files, and together as PKCS12 file. */
function makeCertificate(name: string): { keystore: string; pem: string; key: string } {
  const [keystore, pem, key] = [join(folder, `${name}.p12`), join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-days', '2', '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', pem], { stdio: 'pipe' });
  const both = ['-inkey', key, '-in', pem, '-name', 'broker', '-passout', 'pass:changeit', '-out', keystore];
  execFileSync('openssl', ['pkcs12', '-export', ...both], { stdio: 'pipe' });
  return { keystore, pem, key };
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

const canSign = hasProgram('openssl', 'tests of a Kafka with TLS and logins');
const describeSecured = canSign ? describe : describe.skip;

beforeAll(async () => {
  if (!canSign) return;
  folder = mkdtempSync(join(tmpdir(), 'jetton-secured-'));
  const [own, strange] = [makeCertificate('own'), makeCertificate('strange')];
  [authority, strangeAuthority] = [own.pem, strange.pem];
  [client, stranger] = [makeCertificate('client'), strange];
  const [port, mutualPort] = [await freePort(), await freePort()];
  address = `127.0.0.1:${port}`;
  mutualAddress = `127.0.0.1:${mutualPort}`;
  broker = await startKafka({
    dataDir: join(folder, 'data'),
    cacheDir: join(repositoryRoot, '.cache'),
    port: await freePort(),
    heapMb: 256,
    secure: {
      port,
      keystore: { file: own.keystore, password: 'changeit' },
      users: [user],
      mutual: { port: mutualPort, authority: client.pem },
    },
  });
  bench = await openBench(broker.brokers);
  await bench.newTopic(topic);
  await bench.producer.send(topic, [{ key: null, value: Buffer.from('one trade') }]);
}, 300_000);

afterAll(async () => {
  if (!canSign) return;
  await bench?.close();
  await broker?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 300_000);

describeSecured('a feed on a cluster with TLS and logins', () => {
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

/** A client that shows no login, only what the settings name. */
const byCertificate = (settings: Record<string, string>) => {
  const env = z.object({ ...kafkaSettings, ...sourceKafkaSettings }).parse({
    KAFKA_BROKERS: broker.brokers.join(','),
    SOURCE_KAFKA_BROKERS: mutualAddress,
    SOURCE_KAFKA_TLS: 'true',
    SOURCE_KAFKA_TLS_CA_FILE: authority,
    ...settings,
  });
  return createKafka(resolveConnections(env).source, silent).admin();
};
const shown = ({ pem, key }: { pem: string; key: string }) => ({
  SOURCE_KAFKA_TLS_CERT_FILE: pem,
  SOURCE_KAFKA_TLS_KEY_FILE: key,
});

describeSecured('a feed on a cluster that asks clients for a certificate (mutual TLS)', () => {
  it('is reached with the certificate of our settings', async () => {
    const admin = byCertificate(shown(client));
    await admin.connect();
    try {
      expect(await admin.listTopics()).toContain(topic);
    } finally {
      await admin.disconnect();
    }
  });

  it.each([
    ['no certificate', () => ({})],
    ['a certificate that it does not trust', () => shown(stranger)],
  ])('refuses whoever shows %s', async (_what, settings) => {
    const admin = byCertificate(settings());
    try {
      await expect(admin.connect().then(() => admin.listTopics())).rejects.toThrow(/certificate|alert|closed|reset/i);
    } finally {
      await admin.disconnect();
    }
  });
});

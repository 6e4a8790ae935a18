import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ensureKafkaJars, jarsOfHome, javaMajorOf, requireJava } from './kafka-install.js';

describe("what Kafka's start says is missing", () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'jetton-install-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  /** An environment in which only these programs exist. */
  const only = (programs: Record<string, string>): NodeJS.ProcessEnv => {
    const bin = join(dir, 'bin');
    mkdirSync(bin, { recursive: true });
    for (const [name, script] of Object.entries(programs)) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, name), 0o755);
    }
    return { PATH: bin };
  };

  it('reads the major version of new and old Java', () => {
    expect(javaMajorOf(['openjdk version "17.0.15" 2025-04-15', 'OpenJDK Runtime Environment'])).toBe(17);
    expect(javaMajorOf(['java version "1.8.0_392"'])).toBe(8);
    expect(javaMajorOf(['openjdk version "21" 2023-09-19'])).toBe(21);
    expect(javaMajorOf(['Unable to locate a Java Runtime.'])).toBeUndefined();
  });

  it('names a missing Java and how to get it', async () => {
    await expect(requireJava({ env: only({}) })).rejects.toThrow(
      'Java is missing: Kafka needs Java 17 or newer; install it (Debian, Ubuntu: apt-get install openjdk-17-jre-headless) or set KAFKA_BROKERS to a running Kafka',
    );
  });

  it('names a Java that is too old', async () => {
    const env = only({ java: `echo 'openjdk version "11.0.2"' >&2` });
    await expect(requireJava({ env })).rejects.toThrow(/^Java 11 is too old: Kafka needs Java 17 or newer/);
  });

  it('names a missing Maven and leaves nothing half-fetched', async () => {
    const cache = join(dir, 'cache');
    await expect(ensureKafkaJars(cache, { env: only({}) })).rejects.toThrow(
      /^Maven is missing: .*apt-get install maven/,
    );
    expect(readdirSync(cache)).toEqual([]);
  });

  it("gives Maven's own reason when it fails", async () => {
    const env = only({ mvn: `echo '[ERROR] Could not transfer artifact: timed out'; exit 1` });
    await expect(ensureKafkaJars(join(dir, 'cache'), { env })).rejects.toThrow(
      /Maven could not fetch Kafka .* exited with code 1.*\n {2}\[ERROR\] Could not transfer artifact: timed out/,
    );
  });

  it('fetches once when two ask at the same moment', async () => {
    const env = only({
      mvn: `echo run >> ${dir}/runs; for a in "$@"; do case $a in -DoutputDirectory=*) /bin/mkdir -p "\${a#*=}";; esac; done`,
    });
    const cache = join(dir, 'cache');
    const both = await Promise.all([ensureKafkaJars(cache, { env }), ensureKafkaJars(cache, { env })]);
    expect(both[0]).toBe(both[1]);
    expect(readdirSync(dir)).toContain('runs');
    expect(readdirSync(cache)).toEqual(['kafka-4.1.1']);
  });

  it('refuses a KAFKA_HOME that holds no Kafka', () => {
    expect(() => jarsOfHome(dir)).toThrow(`KAFKA_HOME is ${dir}, but there is no libs/kafka_<version>.jar in it`);
  });
});

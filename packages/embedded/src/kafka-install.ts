import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './file-lock.js';
import { LaunchError, systemCodeOf } from './launch-error.js';
import { describeExit } from './managed-process.js';
import type { ProcessRegistry } from './process-registry.js';
import { runCommand, type CommandResult } from './run-command.js';

/** The version of Apache Kafka that Maven fetches. */
export const kafkaVersion = '4.1.1';

export const kafkaFiles = join(dirname(fileURLToPath(import.meta.url)), '..', 'kafka');
const javaMajorMin = 17;
const javaHint =
  'install it (Debian, Ubuntu: apt-get install openjdk-17-jre-headless) or set KAFKA_BROKERS to a running Kafka';
const downloadTimeoutMs = 10 * 60_000;

export interface ProgramOptions {
  /** The environment in which the program is found and run; without it ours. */
  readonly env?: NodeJS.ProcessEnv;
  readonly registry?: ProcessRegistry;
}

async function runProgram(
  name: string,
  args: readonly string[],
  missing: string,
  { timeoutMs = 30_000, ...where }: ProgramOptions & { timeoutMs?: number },
): Promise<CommandResult> {
  try {
    return await runCommand(name, name, args, { timeoutMs, ...where });
  } catch (error) {
    if (error instanceof LaunchError && systemCodeOf(error.cause) === 'ENOENT') throw new LaunchError(missing);
    throw error;
  }
}

/** The major version in what `java -version` prints: 17 of `openjdk version "17.0.15"`, 8 of `java version "1.8.0_392"`. */
export function javaMajorOf(lines: readonly string[]): number | undefined {
  const match = /version "(?:1\.)?(\d+)/.exec(lines.join('\n'));
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** Throws a LaunchError when there is no Java that runs Kafka, saying how to get one. Returns what it says of itself. */
export async function requireJava(options: ProgramOptions = {}): Promise<readonly string[]> {
  const { lines } = await runProgram(
    'java',
    ['-version'],
    `Java is missing: Kafka needs Java ${javaMajorMin} or newer; ${javaHint}`,
    options,
  );
  const major = javaMajorOf(lines);
  if (major === undefined) throw new LaunchError(`java -version says nothing usable: ${lines.join(' ').slice(0, 200)}`);
  if (major < javaMajorMin) {
    throw new LaunchError(`Java ${major} is too old: Kafka needs Java ${javaMajorMin} or newer; ${javaHint}`);
  }
  return lines;
}

async function download(into: string, options: ProgramOptions): Promise<void> {
  const { code, signal, lines } = await runProgram(
    'mvn',
    [
      '-q',
      '-B',
      '-f',
      join(kafkaFiles, 'pom.xml'),
      'dependency:copy-dependencies',
      `-Dkafka.version=${kafkaVersion}`,
      `-DoutputDirectory=${into}`,
      '-DincludeScope=runtime',
    ],
    'Maven is missing: it fetches Kafka on the first start; install it (Debian, Ubuntu: apt-get install maven), or set KAFKA_HOME to an unpacked Kafka or KAFKA_BROKERS to a running one',
    { ...options, timeoutMs: downloadTimeoutMs },
  );
  if (code !== 0) {
    const errors = lines.filter((line) => line.includes('ERROR')).slice(0, 3);
    throw new LaunchError(
      [
        `Maven could not fetch Kafka ${kafkaVersion} (it ${describeExit({ code, signal })}); see the reason below, or set KAFKA_HOME or KAFKA_BROKERS`,
        ...(errors.length > 0 ? errors : lines.slice(-3)),
      ].join('\n  '),
    );
  }
}

/** Where the jars of an unpacked Kafka lie. Throws a LaunchError when the folder is not one. */
export function jarsOfHome(kafkaHome: string): string {
  const libs = join(kafkaHome, 'libs');
  if (!existsSync(libs) || !readdirSync(libs).some((name) => /^kafka_\d.*\.jar$/.test(name))) {
    throw new LaunchError(`KAFKA_HOME is ${kafkaHome}, but there is no libs/kafka_<version>.jar in it`);
  }
  return libs;
}

/**
 * The folder with Kafka's jars, fetched by Maven when it is not in the cache yet (43 MB). It appears by a rename, so it
 * is whole or not there; of two processes that want it at once, one fetches and the other waits.
 * Throws a LaunchError when Maven is missing or fails.
 */
export async function ensureKafkaJars(
  cacheDir: string,
  { onDownload, ...options }: ProgramOptions & { onDownload?: () => void } = {},
): Promise<string> {
  const target = join(cacheDir, `kafka-${kafkaVersion}`);
  const jars = join(target, 'lib');
  if (existsSync(jars)) return jars;
  mkdirSync(cacheDir, { recursive: true });
  return withLock(join(cacheDir, `kafka-${kafkaVersion}.lock`), downloadTimeoutMs, async () => {
    if (existsSync(jars)) return jars;
    onDownload?.();
    const partial = mkdtempSync(join(cacheDir, 'partial-'));
    try {
      await download(join(partial, 'lib'), options);
      renameSync(partial, target);
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
    return jars;
  });
}

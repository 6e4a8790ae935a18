import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDiskFull, requireFreeSpace } from './disk-space.js';
import { classArchiveArguments } from './kafka-classes.js';
import { formatFromKept, isFormatted, kafkaId, keepFormat } from './kafka-format.js';
import { answersKafka } from './kafka-handshake.js';
import { ensureKafkaJars, jarsOfHome, kafkaFiles, requireJava } from './kafka-install.js';
import { kafkaNodeId, scramArguments, type SecureListener, serverProperties } from './kafka-settings.js';
import { LaunchError, systemCodeOf } from './launch-error.js';
import { spawnManaged, type ManagedProcess } from './managed-process.js';
import { freePort, preferPort, requireFreePort } from './ports.js';
import type { ProcessRegistry } from './process-registry.js';
import { runCommand } from './run-command.js';
import { tailOf } from './tail.js';

export interface KafkaOptions {
  readonly dataDir: string;
  /** Where the jars are kept between starts; shared by all data folders of a checkout. */
  readonly cacheDir: string;
  /** An unpacked Kafka to run instead of the jars fetched by Maven. */
  readonly kafkaHome?: string;
  /** A taken port is an error; without it 9092 or, when that is taken, any free one. */
  readonly port?: number;
  readonly heapMb?: number;
  /** Of a new data folder only: its users are written when it is made. */
  readonly secure?: SecureListener;
  /** The environment in which Java and Maven are found and run; without it ours. */
  readonly env?: NodeJS.ProcessEnv;
  readonly registry?: ProcessRegistry;
  /** Lets this process end while the broker runs on. */
  readonly unref?: boolean;
  readonly log?: (line: string) => void;
}

export interface RunningKafka extends ManagedProcess {
  readonly brokers: string[];
}

const defaultPort = 9092;
const freeBytesMin = 256 * 2 ** 20;
/** Writing the archive of its classes takes the broker some seconds at its end. */
const archiveGraceMs = 60_000;

function explainer(dataDir: string, port: number) {
  return (lines: readonly string[]): string | undefined => {
    const text = [...lines, ...tailOf(join(dataDir, 'kafka.log'), 200)].join('\n');
    if (/No space left on device/.test(text) || isDiskFull(dataDir))
      return `Kafka stopped: the disk that holds ${dataDir} is full`;
    if (/Address already in use/.test(text)) return `Kafka cannot start: port ${port} is taken by another program`;
    if (/Failed to acquire lock on file/.test(text)) return `Kafka cannot start: another broker uses ${dataDir}`;
    const error = text.split('\n').find((line) => /(Exception|Error): ./.test(line));
    return error === undefined ? undefined : `Kafka cannot start, see ${join(dataDir, 'kafka.log')}: ${error}`;
  };
}

function clusterIdOf(dataDir: string): string {
  const file = join(dataDir, 'cluster-id');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  }
  const id = kafkaId();
  writeFileSync(file, `${id}\n`);
  return id;
}

/** What a broker needs besides its options once Java and the jars are there. */
interface Installation {
  readonly jars: string;
  /** Arguments of Java beside the usual ones. */
  readonly javaArgs: readonly string[];
  /** Where what the format tool wrote is kept; undefined: it runs every time. */
  readonly versionDir: string | undefined;
  readonly stopGraceMs?: number;
}

/**
 * Starts the real Apache Kafka as one KRaft node on 127.0.0.1 and resolves when it answers requests. A data folder used
 * before is continued with all its topics and offsets. Its log is `<dataDir>/kafka.log`.
 * Throws a LaunchError: Java or Maven missing, port taken, disk full, broker ended while starting.
 */
export async function startKafka(options: KafkaOptions): Promise<RunningKafka> {
  const { cacheDir, kafkaHome, secure, log = () => undefined } = options;
  const program = programOf(options);
  const java = await requireJava(program);
  const jars =
    kafkaHome === undefined
      ? await ensureKafkaJars(cacheDir, { ...program, onDownload: () => log('fetching Kafka by Maven (43 MB, once)') })
      : jarsOfHome(kafkaHome);
  // Kafka's own version only: what another one begins with, and which classes it has, is not known.
  const versionDir = kafkaHome === undefined && secure === undefined ? dirname(jars) : undefined;
  if (versionDir === undefined) return runBroker(options, { jars, javaArgs: [], versionDir });
  const javaArgs = await classArchiveArguments({
    versionDir,
    java,
    startBroker: async (more, dataDir) => {
      const port = await freePort();
      const once = { ...options, dataDir, port, unref: false };
      return runBroker(once, { jars, javaArgs: more, versionDir, stopGraceMs: archiveGraceMs });
    },
    onPrepare: () => log('preparing Kafka for fast starts (some 10 s, once)'),
    onFailure: (reason) => log(`Kafka will start a little slower: ${reason}`),
  });
  return runBroker(options, { jars, javaArgs, versionDir });
}

function programOf({ env, registry }: KafkaOptions) {
  return { ...(env !== undefined && { env }), ...(registry !== undefined && { registry }) };
}

async function runBroker(options: KafkaOptions, installation: Installation): Promise<RunningKafka> {
  const { dataDir, heapMb = 512, secure } = options;
  const { jars, javaArgs, versionDir, stopGraceMs } = installation;
  const program = programOf(options);
  mkdirSync(dataDir, { recursive: true });
  await requireFreeSpace(dataDir, freeBytesMin, 'Kafka');
  const port = options.port ?? (await preferPort(defaultPort));
  await requireFreePort(port, 'Kafka');

  const clusterId = clusterIdOf(dataDir);
  const logDir = join(dataDir, 'topics');
  const properties = join(dataDir, 'server.properties');
  const controllerPort = await freePort();
  writeFileSync(
    properties,
    serverProperties({ port, controllerPort, logDir, ...(secure !== undefined && { secure }) }),
  );
  const jvm = (heap: number) => [
    `-Xmx${heap}m`,
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1', // the optimising compiler takes 3 of 7 s of processor time at the start
    '-XX:+ExitOnOutOfMemoryError',
    '-Djava.awt.headless=true',
    `-Dlog4j2.configurationFile=${join(kafkaFiles, 'log4j2.xml')}`,
    `-Dkafka.logs.dir=${dataDir}`,
    '-cp',
    join(jars, '*'),
  ];
  const explain = explainer(dataDir, port);

  const fromKept = () =>
    versionDir !== undefined && formatFromKept(logDir, { clusterId, nodeId: kafkaNodeId, versionDir });
  if (!isFormatted(logDir) && !fromKept()) {
    const args = [
      'kafka.tools.StorageTool',
      'format',
      '--ignore-formatted',
      '-t',
      clusterId,
      '-c',
      properties,
      ...scramArguments(secure),
    ];
    const { code, lines } = await runCommand(
      'Kafka format',
      'java',
      [...jvm(128), '-Dkafka.logs.level=WARN', ...args],
      {
        timeoutMs: 60_000,
        ...program,
      },
    );
    if (code !== 0) {
      const reason = explain(lines) ?? `Kafka could not prepare ${dataDir}: ${lines.slice(-3).join(' ')}`;
      throw new LaunchError(reason);
    }
    if (versionDir !== undefined) keepFormat(logDir, versionDir);
  }

  const output = join(dataDir, 'kafka.out');
  for (const file of [output, join(dataDir, 'kafka.log')]) rmSync(file, { force: true }); // what is in it is of this start
  const broker = await spawnManaged({
    name: 'kafka',
    command: 'java',
    args: [...javaArgs, ...jvm(heapMb), '-Dkafka.logs.level=WARN', 'kafka.Kafka', properties],
    output: { file: output },
    ...program,
    readyWhen: () => answersKafka(port, clusterId),
    explain,
    ...(stopGraceMs !== undefined && { stopGraceMs }),
    ...(options.unref === undefined ? {} : { unref: options.unref }),
  });
  return { ...broker, brokers: [`127.0.0.1:${port}`] };
}

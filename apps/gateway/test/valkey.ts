import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from '@jetton-analytics/embedded';
import { pollUntil } from '@jetton-analytics/testing';

/** The program of a Valkey or Redis on this machine; undefined, with a line on stderr, where there is none. */
export function valkeyProgram(): string | undefined {
  const program = ['valkey-server', 'redis-server'].find((name) => spawnSync(name, ['--version']).status === 0);
  if (program === undefined) {
    process.stderr.write('skipped: limits held in Valkey, since there is no valkey-server and no redis-server\n');
  }
  return program;
}

/** A server of its own on a free port, without any file. */
export class Valkey {
  #child: ChildProcess | undefined;

  private constructor(
    private readonly program: string,
    private readonly port: number,
  ) {}

  static async start(program: string): Promise<Valkey> {
    const valkey = new Valkey(program, await freePort());
    await valkey.start();
    return valkey;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const where = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.#child = spawn(this.program, where, { stdio: 'ignore' });
    await pollUntil(() => this.#listens(), { what: 'Valkey' });
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  async #listens(): Promise<boolean> {
    const socket = connect(this.port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  }
}

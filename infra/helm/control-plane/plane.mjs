// A Kubernetes control plane on 127.0.0.1: etcd, kube-apiserver, kube-controller-manager, kube-scheduler, and kwok for two
// nodes on which no container runs: pods become ready, and those of Jobs end well, because kwok says so.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const token = 'administrator-of-this-run';
const readyMs = 120_000;
const folders = [
  ...(process.env.INFRA_TOOLS ?? join(homedir(), '.cache/jetton-analytics/infra-tools/bin')).split(delimiter),
  ...(process.env.PATH ?? '').split(delimiter),
];

export function toolPath(name) {
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${name} is not there: run infra/helm/control-plane/build-tools.sh first`);
  return found;
}

/** Runs a program to its end; `status` 0 is success. */
export function run(tool, args, { input, env = {} } = {}) {
  const done = spawnSync(toolPath(tool), args, {
    input,
    encoding: 'utf8',
    timeout: 300_000,
    env: { ...process.env, ...env },
  });
  return { status: done.status, stdout: done.stdout ?? '', stderr: `${done.stderr ?? ''}${done.error ?? ''}` };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  const { port } = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

export async function until(what, isThere) {
  const deadline = performance.now() + readyMs;
  while (!(await isThere())) {
    if (performance.now() > deadline) throw new Error(`${what} within ${readyMs} ms: no`);
    await sleep(250);
  }
}

const node = (name) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    annotations: { 'kwok.x-k8s.io/node': 'fake' },
    labels: {
      'kubernetes.io/hostname': name,
      'topology.kubernetes.io/zone': `zone-${name}`,
      'kubernetes.io/os': 'linux',
    },
  },
  status: {
    allocatable: { cpu: '32', memory: '256Gi', pods: '110', 'ephemeral-storage': '100Gi' },
    capacity: { cpu: '32', memory: '256Gi', pods: '110', 'ephemeral-storage': '100Gi' },
  },
});

/** kwok's own stages, from its module in Go's cache. */
function stages() {
  const { stdout } = spawnSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' });
  const folder = join(stdout.trim(), 'sigs.k8s.io/kwok@v0.8.0/kustomize/stage');
  return [
    'node/fast/node-initialize',
    'node/heartbeat-with-lease/node-heartbeat-with-lease',
    'pod/fast/pod-ready',
    'pod/fast/pod-complete',
    'pod/fast/pod-delete',
  ]
    .map((name) => readFileSync(join(folder, `${name}.yaml`), 'utf8'))
    .join('\n---\n');
}

/**
 * Starts everything; `stop` ends it and removes its folder. With `kubelet` kwok also answers what a kubelet does for logs,
 * exec and port-forward: `documents` are kwok's own (ClusterLogs, ClusterExec, ClusterPortForward), `env` is what commands
 * are looked up with.
 */
export async function startControlPlane({ kubelet } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'jetton-analytics-control-plane-'));
  const file = (name) => join(folder, name);
  const children = [];
  const start = (name, args, env = {}) => {
    // To a file by itself: this process stands still while it waits for Helm, and a full pipe would stop the child.
    const log = openSync(file(`${name}.log`), 'w');
    const child = spawn(toolPath(name), args, { stdio: ['ignore', log, log], env: { ...process.env, ...env } });
    closeSync(log);
    children.push(child);
  };
  const stop = async () => {
    for (const child of children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = new Promise((resolve) => {
        child.once('exit', resolve);
      });
      child.kill('SIGTERM');
      await Promise.race([ended, sleep(10_000).then(() => child.kill('SIGKILL'))]);
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const [etcdPort, peerPort, apiPort] = [await freePort(), await freePort(), await freePort()];
    const etcd = `http://127.0.0.1:${etcdPort}`;
    const peer = `http://127.0.0.1:${peerPort}`;
    start('etcd', [
      '--data-dir',
      file('etcd'),
      '--listen-client-urls',
      etcd,
      '--advertise-client-urls',
      etcd,
      '--listen-peer-urls',
      peer,
      '--initial-advertise-peer-urls',
      peer,
      '--initial-cluster',
      `default=${peer}`,
    ]);
    spawnSync('openssl', ['genrsa', '-out', file('sa.key'), '2048']);
    mkdirSync(file('certs'));
    writeFileSync(file('tokens.csv'), `${token},admin,admin,system:masters\n`);
    const server = `https://127.0.0.1:${apiPort}`;
    start('kube-apiserver', [
      `--etcd-servers=${etcd}`,
      `--secure-port=${apiPort}`,
      '--bind-address=127.0.0.1',
      `--cert-dir=${file('certs')}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${file('sa.key')}`,
      `--service-account-signing-key-file=${file('sa.key')}`,
      `--token-auth-file=${file('tokens.csv')}`,
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--allow-privileged=true',
      '--kubelet-preferred-address-types=InternalIP',
    ]);
    const kubeconfig = file('kubeconfig');
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'u', user: { token } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    writeFileSync(kubeconfig, JSON.stringify(config));
    const kubectl = (args, input) => run('kubectl', ['--kubeconfig', kubeconfig, ...args], { input });
    await until('the API server is ready', () => kubectl(['get', '--raw', '/readyz']).status === 0);
    start('kube-controller-manager', [
      `--kubeconfig=${kubeconfig}`,
      `--service-account-private-key-file=${file('sa.key')}`,
      '--use-service-account-credentials=true',
      '--leader-elect=false',
      '--controllers=*,-nodeipam,-nodelifecycle',
      '--secure-port=0',
    ]);
    start('kube-scheduler', [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--secure-port=0']);
    const documents = (kubelet?.documents ?? []).map((document) => JSON.stringify(document));
    writeFileSync(file('stages.yaml'), [stages(), ...documents].join('\n---\n'));
    const kubeletPort = await freePort();
    start(
      'kwok',
      [
        '--config',
        file('stages.yaml'),
        `--kubeconfig=${kubeconfig}`,
        '--manage-all-nodes=true',
        '--cidr=10.1.0.0/16',
        '--node-lease-duration-seconds=40',
        ...(kubelet === undefined
          ? ['--node-ip=10.0.0.1']
          : ['--node-ip=127.0.0.1', `--node-port=${kubeletPort}`, `--server-address=127.0.0.1:${kubeletPort}`]),
      ],
      kubelet?.env,
    );
    for (const name of ['n0', 'n1']) kubectl(['apply', '-f', '-'], JSON.stringify(node(name)));
    await until('both nodes are ready', () => {
      const { stdout } = kubectl(['get', 'nodes', '--no-headers']);
      return (stdout.match(/ Ready /g) ?? []).length === 2;
    });
    kubectl(['taint', 'nodes', 'n0', 'n1', 'node.kubernetes.io/not-ready-']);
    return { kubeconfig, kubectl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

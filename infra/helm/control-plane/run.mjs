// Installs, upgrades, rolls back and removes the chart on a real Kubernetes control plane with nodes of kwok:
// `infra/helm/control-plane/build-tools.sh` once, then `node infra/helm/control-plane/run.mjs [--helm helm3]`. Containers do not
// run: what is tried is what the API server takes, what the controllers make of it, and what Helm does.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { run, startControlPlane, until } from './plane.mjs';

const chart = fileURLToPath(new URL('../jetton-analytics', import.meta.url));
const helmName = process.argv.includes('--helm') ? process.argv[process.argv.indexOf('--helm') + 1] : 'helm4';
const namespace = 'jetton-analytics';
const waitTime = '180s';
let failures = 0;

const tell = (ok, what, detail = '') => {
  if (!ok) failures += 1;
  const lines = detail.trim() === '' ? '' : `\n         ${detail.trim().replaceAll('\n', '\n         ')}`;
  console.log(`${ok ? 'ok' : 'FAILED'}${' '.repeat(ok ? 7 : 3)}${what}${lines}`);
};
const short = (text) => text.trim().split('\n').slice(0, 6).join('\n');

const plane = await startControlPlane();
const { kubectl, kubeconfig } = plane;
const inNamespace = (args, input) => kubectl(['-n', namespace, ...args], input);
const helm = (args) => run(helmName, args, { env: { KUBECONFIG: kubeconfig, HELM_NAMESPACE: namespace } });
const minimal = ['-f', `${chart}/ci/minimal.yaml`];
const itemsOf = (kind) => JSON.parse(inNamespace(['get', kind, '-o', 'json']).stdout).items;
const jobNames = () =>
  itemsOf('jobs')
    .map(({ metadata }) => metadata.name)
    .sort();

const isDone = ({ status }) =>
  (status.conditions ?? []).some(({ type, status: is }) => type === 'Complete' && is === 'True');

const areDone = (jobs) => jobs.length > 0 && jobs.every(isDone);

const isAvailable = ({ spec, status }) => (status.availableReplicas ?? 0) === spec.replicas;

const isReady = ({ status }) => status.conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True');

async function expectRunning(what, tag) {
  // Helm's --wait is for the Deployments: in a cluster with containers these wait for what the Job makes, here they do not.
  await until(`${what}: the migration Job`, () => areDone(itemsOf('jobs')));
  tell(areDone(itemsOf('jobs')), `${what}: the migration Job is complete`, jobNames().join(', '));
  const deployments = itemsOf('deployments');
  const states = deployments.map(
    ({ metadata, spec, status }) => `${metadata.name} ${status.availableReplicas ?? 0}/${spec.replicas} available`,
  );
  tell(
    deployments.length === 4 && deployments.every(isAvailable),
    `${what}: every Deployment is available`,
    states.join('\n'),
  );
  const apps = itemsOf('pods').filter(({ metadata }) => metadata.ownerReferences[0].kind === 'ReplicaSet');
  const living = apps.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const images = [...new Set(living.map(({ spec }) => String(spec.containers[0].image)))];
  tell(
    living.length === 7 && living.every(isReady) && images.every((image) => image.endsWith(`:${tag}`)),
    `${what}: ${living.length} pods of the apps are ready, of version ${tag} alone`,
    images.join('\n'),
  );
}

try {
  const { stdout: version } = kubectl(['version', '-o', 'json']);
  console.log(
    `Kubernetes ${JSON.parse(version).serverVersion.gitVersion}, ${helmName} ${helm(['version', '--short']).stdout.trim()}\n`,
  );
  kubectl(['create', 'namespace', namespace]);
  kubectl(['label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted']);

  await until(
    'the namespace has its service account',
    () => inNamespace(['get', 'serviceaccount', 'default']).status === 0,
  );
  const bad = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'bad' },
    spec: { containers: [{ name: 'bad', image: 'x' }] },
  };
  const refusedPod = inNamespace(['apply', '-f', '-'], JSON.stringify(bad));
  tell(
    refusedPod.status !== 0 && refusedPod.stderr.includes('violates PodSecurity "restricted'),
    'the namespace refuses a pod that the restricted standard does not allow',
    short(refusedPod.stderr),
  );

  for (const [title, set] of [
    ['a misspelt value', 'gateway.replicas=2'],
    ['a value of the wrong type', 'gateway.replicaCount=many'],
    ['no registry', 'image.repository='],
    ['a password in the address', 'clickhouse.url=http://user:secret@clickhouse:8123'],
    ['more aggregators than partitions', 'aggregator.replicaCount=3,topics.tradesPartitions=2'],
    ['a grace period shorter than draining', 'gateway.shutdown.terminationGracePeriodSeconds=10'],
  ]) {
    const { status, stderr } = helm(['install', 'refused', chart, ...minimal, '--set', set]);
    tell(
      status !== 0 && itemsOf('deployments').length === 0,
      `${title} is refused and leaves nothing: --set ${set}`,
      short(stderr),
    );
  }

  for (const values of readdirSync(`${chart}/ci`)) {
    const rendered = helm(['template', 'ja', chart, '-f', `${chart}/ci/${values}`, '--kube-version', '1.36.0']);
    const foreign = /^apiVersion: (keda\.sh|monitoring\.coreos\.com)/m;
    const own = rendered.stdout
      .split(/^---$/m)
      .filter((text) => /^kind:/m.test(text) && !foreign.test(text) && !/^kind: HTTPRoute$/m.test(text));
    const strict = ['apply', '--dry-run=server', '--validate=strict', '-f', '-'];
    const taken = inNamespace(strict, own.join('\n---\n'));
    const count = taken.stdout.trim().split('\n').length;
    tell(
      rendered.status === 0 && taken.status === 0 && count === own.length,
      `the API server takes all ${own.length} objects of ${values}, strictly`,
      taken.stderr,
    );
    const misspelt = inNamespace(
      strict,
      own.join('\n---\n').replace('revisionHistoryLimit:', 'revisionHistoryLimits:'),
    );
    tell(
      misspelt.status !== 0 && misspelt.stderr.includes('revisionHistoryLimits'),
      `… and refuses them with a misspelt field`,
      short(misspelt.stderr),
    );
  }

  const began = performance.now();
  const installed = helm([
    'install',
    'ja',
    chart,
    ...minimal,
    '--set',
    'image.tag=0.1.0',
    '--wait',
    '--timeout',
    waitTime,
  ]);
  tell(
    installed.status === 0,
    `helm install --wait (${((performance.now() - began) / 1_000).toFixed(1)} s)`,
    short(installed.stdout + installed.stderr),
  );
  await expectRunning('installed', '0.1.0');
  const firstJob = jobNames().join();
  const budgets = itemsOf('poddisruptionbudgets').map(
    ({ metadata, status }) => `${metadata.name} allows ${status.disruptionsAllowed}`,
  );
  tell(budgets.length === 3, 'there is a disruption budget for each app of several replicas', budgets.join('\n'));
  console.log(
    `         ${inNamespace(['get', 'jobs,deployments,pods,services,pdb,networkpolicies']).stdout.trimEnd().replaceAll('\n', '\n         ')}`,
  );

  const upgraded = helm([
    'upgrade',
    'ja',
    chart,
    ...minimal,
    '--set',
    'image.tag=0.2.0',
    '--wait',
    '--timeout',
    waitTime,
  ]);
  tell(upgraded.status === 0, 'helm upgrade --wait to another version', short(upgraded.stderr));
  await expectRunning('upgraded', '0.2.0');
  const secondJob = jobNames().join();
  tell(secondJob !== firstJob, 'the other version has a migration Job of its own', `${firstJob} → ${secondJob}`);

  const again = helm(['upgrade', 'ja', chart, ...minimal, '--set', 'image.tag=0.2.0', '--wait', '--timeout', waitTime]);
  tell(
    again.status === 0 && jobNames().join() === secondJob,
    'the same upgrade again runs no Job',
    short(again.stderr),
  );

  const rolledBack = helm(['rollback', 'ja', '1', '--wait', '--timeout', waitTime]);
  tell(rolledBack.status === 0, 'helm rollback --wait to the first version', short(rolledBack.stderr));
  await expectRunning('rolled back', '0.1.0');
  tell(jobNames().join() === firstJob, 'the Job of the first version ran again', jobNames().join());
  console.log(`         ${helm(['history', 'ja']).stdout.trimEnd().replaceAll('\n', '\n         ')}`);

  const removed = helm(['uninstall', 'ja', '--wait', '--timeout', waitTime]);
  tell(removed.status === 0, 'helm uninstall --wait', short(removed.stderr));
  const left = inNamespace([
    'get',
    'all,pdb,networkpolicies,configmaps,serviceaccounts,ingresses',
    '-l',
    'app.kubernetes.io/instance=ja',
    '-o',
    'name',
  ]);
  tell(left.stdout.trim() === '', 'nothing of the release is left', left.stdout);
} finally {
  await plane.stop();
}
console.log(failures === 0 ? '\nall as it should be' : `\n${failures} FAILED`);
process.exitCode = failures === 0 ? 0 : 1;

// What a control plane without containers lacks for the commands of an operator.
import { apps } from './stack.mjs';

const everything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const crd = (group, version, kind, plural) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: everything } }],
  },
});

/** Kinds of operators by their names alone: their operators are not there. */
export const crds = [
  crd('monitoring.coreos.com', 'v1', 'ServiceMonitor', 'servicemonitors'),
  crd('monitoring.coreos.com', 'v1', 'PrometheusRule', 'prometheusrules'),
  crd('keda.sh', 'v1alpha1', 'ScaledObject', 'scaledobjects'),
];

const ofKwok = (kind, spec) => ({
  apiVersion: 'kwok.x-k8s.io/v1alpha1',
  kind,
  metadata: { name: 'of-this-trial' },
  spec,
});

/** kwok's answers to logs, port-forward and exec: logs of our processes, their ports, a command run beside them. */
export function kubeletDocuments({ env, logOf, ports }, inPods) {
  const containers = [...apps, 'wait-for-schema', 'topics', 'postgres', 'clickhouse'];
  const defaultPorts = { gateway: 3000, statistics: 3001, metrics: 3002, aggregator: 3003 };
  const envs = Object.entries({ ...env, PATH: `${inPods}:${env.PATH}` }).map(([name, value]) => ({ name, value }));
  return [
    ofKwok('ClusterLogs', {
      logs: containers.map((name) => ({
        containers: [name],
        logsFile: logOf(name),
        previousLogsFile: logOf(`${name}.previous`),
      })),
    }),
    ofKwok('ClusterPortForward', {
      forwards: apps.map((app) => ({
        ports: [defaultPorts[app]],
        target: { address: '127.0.0.1', port: ports[app] },
      })),
    }),
    ofKwok('ClusterExec', { execs: [{ containers: ['admin'], local: { envs } }] }),
  ];
}

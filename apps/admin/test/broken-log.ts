import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { createKafka } from '@jetton-analytics/kafka';

type Admin = ReturnType<ReturnType<typeof createKafka>['admin']>;

/** Of Kafka's protocol: the resource type of a broker. */
const brokerResource = 4;
// Layout of a record batch: offset (8 bytes), length of what follows (4 bytes).
const lengthAt = 8;
const lengthCountedFrom = 12;

/** Flips a bit of the nth record batch of partition 0, where the broker keeps it: its checksum is wrong from then on. */
export async function breakBatch(admin: Admin, topic: string, nth: number): Promise<void> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: brokerResource, name: '1' }],
  });
  const folder = resources[0]?.configEntries.find(({ configName }) => configName === 'log.dirs')?.configValue ?? '';
  const file = await open(join(folder, `${topic}-0`, '00000000000000000000.log'), 'r+');
  try {
    const log = await file.readFile();
    const endOf = (start: number) => start + lengthCountedFrom + log.readInt32BE(start + lengthAt);
    let start = 0;
    for (let index = 0; index < nth; index += 1) start = endOf(start);
    const last = endOf(start) - 3;
    await file.write(Buffer.of((log[last] ?? 0) ^ 1), 0, 1, last);
  } finally {
    await file.close();
  }
}

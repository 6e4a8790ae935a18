import { clickhouseSettings } from '@jetton-analytics/clickhouse';
import { burnSettings, feedSettings } from '@jetton-analytics/feed';
import { defaultStepSeconds, parseClockMode } from '@jetton-analytics/figures';
import { kafkaSettings, sourceKafkaSettings } from '@jetton-analytics/kafka';
import { postgresSettings } from '@jetton-analytics/postgres';
import { publicationSettings, watermarkSettings } from '@jetton-analytics/rollups';
import { integerSetting, serviceSettings } from '@jetton-analytics/service';
import { z } from 'zod';
import { auditSettings } from './audit/audit-settings.js';

const clock = z
  .string()
  .default('wall')
  .transform((text, context) => {
    const mode = parseClockMode(text);
    if (!('error' in mode)) return mode;
    context.addIssue({ code: 'custom', message: mode.error });
    return z.NEVER;
  });

const stepSeconds = (seconds: number) => integerSetting(1, 3_600).prefault(String(seconds));

export const Env = z.object({
  ...serviceSettings,
  PORT: integerSetting(0, 65_535).prefault('3003').describe('port of the health checks, 0: any free one'),
  ...clickhouseSettings,
  ...postgresSettings,
  ...kafkaSettings,
  ...sourceKafkaSettings,
  ...feedSettings,
  ...burnSettings,
  ...watermarkSettings,
  CLOCK: clock.describe('what T follows: wall, event or fixed:<ISO instant>'),
  FEED_DELAY_SECONDS: z
    .union([z.literal('auto'), integerSetting(0, 600)])
    .default('auto')
    .describe('how far the feed runs behind the chain: auto or seconds'),
  STEP_SHORT_SECONDS: stepSeconds(defaultStepSeconds.short).describe('seconds between calculations of min15 and hour'),
  STEP_MID_SECONDS: stepSeconds(defaultStepSeconds.mid).describe('seconds between calculations of hour6 to day'),
  STEP_LONG_SECONDS: stepSeconds(defaultStepSeconds.long).describe('seconds between calculations of week and month'),
  BAD_SHARE_PERCENT_MAX: integerSetting(1, 100)
    .prefault('20')
    .describe('share of bad messages among the last 1,000 of a topic that stops consumption, in percent'),
  LEDGER_RETENTION_DAYS: integerSetting(62, 36_500)
    .optional()
    .describe(
      'days that trades and their minutes are kept, by T; trades older than that less two days go to the dead letters; ' +
        'unset, or with another CLOCK than wall: everything',
    ),
  CONSUMER_SESSION_TIMEOUT_MS: integerSetting(6_000, 300_000)
    .prefault('15000')
    .describe(
      'silence after which the partitions of a dead instance go to the others, in milliseconds; within the bounds that the ' +
        'source cluster sets (group.min.session.timeout.ms)',
    ),
  CONSUMER_INSTANCE: z
    .string()
    .regex(/^[\w.-]{1,120}$/, 'letters, digits, dots, dashes and underscores')
    .optional()
    .describe(
      'name of this instance, which no other of its consumer group bears (of a pod, its own): when it starts, the dead one ' +
        'that bore it leaves the group at once; unset: after CONSUMER_SESSION_TIMEOUT_MS',
    ),
  INGEST_ROUND_LEGS_MAX: integerSetting(100, 200_000)
    .prefault('60000')
    .describe('most legs written to the ledger in one round'),
  ...publicationSettings,
  ...auditSettings,
});
export type Env = z.output<typeof Env>;

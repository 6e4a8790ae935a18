import 'reflect-metadata';
import { runMain } from '@jetton-analytics/service';
import { Env } from './env.js';
import { startAggregator } from './start-aggregator.js';

await runMain({ name: 'aggregator', env: Env, start: startAggregator });

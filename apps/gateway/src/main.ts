import { runHttpApp } from '@jetton-analytics/service';
import { AppModule } from './app.module.js';
import { Env } from './env.js';

await runHttpApp({ name: 'gateway', env: Env, module: AppModule });

import { runMain } from '@jetton-analytics/service';
import { createGateway } from './create-gateway.js';
import { Env } from './env.js';

await runMain({
  name: 'gateway',
  env: Env,
  start: async ({ settings, logger }) => {
    const app = await createGateway(settings, logger);
    await app.listen();
    return app;
  },
});

import { SERVER, SETTINGS } from '@jetton-analytics/service';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { AccessModule } from '../access/access.module.js';
import { Access } from '../access/access.js';
import { dataHeaders } from '../delivery/static-headers.js';
import type { Env } from '../env.js';
import { type LimitState, limitHeaders } from '../limits/limit-state.js';
import { LimitsModule } from '../limits/limits.module.js';
import { Limits } from '../limits/limits.js';
import { Admission } from './admission.js';

const unlimitedPaths = new Set(['/livez', '/readyz']);

@Module({
  imports: [AccessModule, LimitsModule],
  providers: [
    {
      provide: Admission,
      inject: [SETTINGS, Access, Limits],
      useFactory: ({ RATE_LIMITS }: Env, access: Access, limits: Limits) =>
        new Admission(access, RATE_LIMITS === 'on' ? limits : undefined),
    },
  ],
  exports: [Admission],
})
export class AdmissionModule implements OnModuleInit {
  constructor(
    @Inject(SERVER) private readonly server: FastifyInstance,
    @Inject(Admission) private readonly admission: Admission,
  ) {}

  /** The headers of whatever Fastify sends: errors and health. Everything else is sent by Delivery. */
  onModuleInit(): void {
    this.server.decorateRequest('admitted', null);
    this.server.addHook('onSend', (request, reply, _payload, done) => {
      const finish = (state?: LimitState) => {
        const all = state === undefined ? dataHeaders : [...dataHeaders, ...limitHeaders(state)];
        for (let index = 0; index < all.length; index += 2) void reply.header(all[index] ?? '', all[index + 1]);
        if (reply.statusCode === 401) void reply.header('www-authenticate', 'Bearer realm="jetton-analytics"');
      };
      const limited = !unlimitedPaths.has(request.routeOptions.url ?? '');
      const state = limited ? this.admission.standing(request) : undefined;
      // Fastify waits for either the call or the promise.
      if (state instanceof Promise) return state.then(finish);
      finish(state);
      done();
      return undefined;
    });
  }
}

import { type DynamicModule, Module, type Type } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { Clock } from './clock.js';
import { Health } from './health.js';
import type { ServiceSettings } from './settings.js';

/** Token of the app's own settings: `@Inject(SETTINGS) settings: Env`. */
export const SETTINGS = Symbol('settings');
/** Token of the logger: `@Inject(LOGGER) logger: Logger`. */
export const LOGGER = Symbol('logger');
/** Token of the server, for routes and hooks that are no controllers: `@Inject(SERVER) server: FastifyInstance`. */
export const SERVER = Symbol('server');

export interface ServiceParts<S extends ServiceSettings> {
  readonly settings: S;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly health: Health;
  readonly registry: Registry;
  readonly server: FastifyInstance;
}

/** What every app may inject: SETTINGS, LOGGER, SERVER, Clock, Health and Registry (of prom-client). */
@Module({})
export class ServiceModule {
  static around<S extends ServiceSettings>(app: Type | DynamicModule, parts: ServiceParts<S>): DynamicModule {
    const providers = [
      { provide: SETTINGS, useValue: parts.settings },
      { provide: LOGGER, useValue: parts.logger },
      { provide: Clock, useValue: parts.clock },
      { provide: Health, useValue: parts.health },
      { provide: Registry, useValue: parts.registry },
      { provide: SERVER, useValue: parts.server },
    ];
    return {
      module: ServiceModule,
      global: true,
      imports: [app],
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}

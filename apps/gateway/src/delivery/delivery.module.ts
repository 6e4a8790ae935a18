import { SETTINGS } from '@jetton-analytics/service';
import { Module } from '@nestjs/common';
import type { Env } from '../env.js';
import { CompressedBodies } from './compressed-bodies.js';
import { Delivery } from './delivery.js';

const mib = 1024 * 1024;

@Module({
  providers: [
    {
      provide: Delivery,
      inject: [SETTINGS],
      useFactory: ({ COMPRESSED_CACHE_MIB }: Env) => new Delivery(new CompressedBodies(COMPRESSED_CACHE_MIB * mib)),
    },
  ],
  exports: [Delivery],
})
export class DeliveryModule {}

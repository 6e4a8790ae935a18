import { SERVER } from '@jetton-analytics/service';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AdmissionModule } from '../admission/admission.module.js';
import { Admission } from '../admission/admission.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { Delivery } from '../delivery/delivery.js';
import { isKnown } from '../delivery/etags.js';
import { dataHeaders, pageHeaders } from '../delivery/static-headers.js';
import { type Asset, loadAssets } from './assets.js';

/** `/openapi.json` and `/docs`, from memory. They need no key and count towards no limit. */
@Module({ imports: [AdmissionModule, DeliveryModule] })
export class DocsModule implements OnModuleInit {
  constructor(
    @Inject(SERVER) private readonly server: FastifyInstance,
    @Inject(Admission) private readonly admission: Admission,
    @Inject(Delivery) private readonly delivery: Delivery,
  ) {}

  onModuleInit(): void {
    for (const asset of loadAssets()) {
      this.server.get(asset.path, (request, reply) => this.#send(asset, request, reply));
    }
  }

  async #send(asset: Asset, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { page, etag, ...rest } = asset;
    const status = isKnown(request.headers['if-none-match'], etag) ? 304 : 200;
    const headers = page ? pageHeaders : dataHeaders;
    this.delivery.send(request, reply, { ...rest, etag, status, headers }, await this.admission.standing(request));
  }
}

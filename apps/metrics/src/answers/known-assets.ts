import { createAssets } from '@jetton-analytics/feed';
import { ReadModel } from '@jetton-analytics/read-model';
import { SETTINGS } from '@jetton-analytics/service';
import { Inject, Injectable } from '@nestjs/common';
import type { Env } from '../env.js';

const decimalsOfUnknown = 9;

/** The assets that trades are against, and their decimals. Source: docs/statistics.md, "Words". */
@Injectable()
export class KnownAssets {
  readonly #assets: ReturnType<typeof createAssets>;

  constructor(
    @Inject(SETTINGS) settings: Env,
    private readonly model: ReadModel,
  ) {
    this.#assets = createAssets(settings);
  }

  /** `ton` for native and its wrapped forms, any other raw address as it is. */
  unified(asset: string): string {
    return this.#assets.unify(asset);
  }

  /** Of native (`ton`) or of a jetton by its raw address. */
  decimalsOf(asset: string): number {
    return this.#assets.decimalsOf(asset) ?? this.model.row(asset)?.decimals ?? decimalsOfUnknown;
  }
}

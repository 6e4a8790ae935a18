import { PreviewColor, PreviewMetric, PreviewPeriod } from '@jetton-analytics/common';
import { type AmountText, formatInstant } from '@jetton-analytics/figures';
import type { AddressKind, JettonRecord } from '@jetton-analytics/read-model';

/** An Amount as JSON text. */
export const amountJson = ({ value, decimals }: AmountText): string => `{"value":"${value}","decimals":${decimals}}`;

const optional = (name: string, json: string | undefined): string => (json === undefined ? '' : `,"${name}":${json}`);
const quoted = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : JSON.stringify(text);
const amount = (value: AmountText | undefined): string | undefined =>
  value === undefined ? undefined : amountJson(value);

function metadataJson({ address, metadata, decimals }: JettonRecord, createdAt: number): string {
  const { name, symbol, image, description, offchainImage, offchainDescription, links } = metadata;
  return `{"address":"${address}","name":${JSON.stringify(name)},"symbol":${JSON.stringify(symbol)},"decimals":${decimals}${[
    optional('image', quoted(image)),
    optional('description', quoted(description)),
    optional('offchainImage', quoted(offchainImage)),
    optional('offchainDescription', quoted(offchainDescription)),
  ].join('')},"links":${JSON.stringify(links)},"createdAt":"${formatInstant(createdAt)}"}`;
}

function adminJson({ metadata }: JettonRecord): string | undefined {
  const { adminAddress: address, adminOffchainAddress: offchainAddress } = metadata;
  if (address === undefined && offchainAddress === undefined) return undefined;
  return JSON.stringify({
    ...(address !== undefined && { address }),
    ...(offchainAddress !== undefined && { offchainAddress }),
  });
}

/** The images of a jetton's charts: none while it has no price. */
function chartPreviewsJson({ address, price, priceUsd }: JettonRecord, publicUrl: string): string {
  if (price === undefined && priceUsd === undefined) return '[]';
  const previews = PreviewMetric.options.flatMap((metric) =>
    PreviewPeriod.options.flatMap((period) =>
      PreviewColor.options.map((color) => {
        const url = `${publicUrl}/v1/jettons/${encodeURIComponent(address)}/chart-previews/${metric}-${period}-${color}.svg`;
        return { url, metric, period, color };
      }),
    ),
  );
  return JSON.stringify(previews);
}

/** The addresses that a Jetton names, for the address book. */
export function addressesOf({ address, metadata }: JettonRecord): [string, AddressKind][] {
  const admin = metadata.adminAddress;
  return admin === undefined
    ? [[address, 'jetton']]
    : [
        [address, 'jetton'],
        [admin, 'wallet'],
      ];
}

/**
 * Jetton records as JSON text without the closing brace, so that operation 2 can add to it. A text is kept as long as
 * its record: a record is the same object until something of it changes.
 */
export class JettonTexts {
  readonly #kept = new WeakMap<JettonRecord, string>();

  /** `publicUrl` is where clients reach the service, without a slash at its end. */
  constructor(private readonly publicUrl: string) {}

  /** `seenAt` (Unix seconds) stands for the moment of creation where nothing is known of it yet. */
  open(record: JettonRecord, seenAt: number): string {
    const kept = this.#kept.get(record);
    if (kept !== undefined) return kept;
    const { metadata, supply, verification, holdersCount, trustScore } = record;
    const text = [
      `{"metadata":${metadataJson(record, record.createdAt ?? seenAt)}`,
      optional('admin', adminJson(record)),
      `,"totalSupply":"${supply.totalSupply}","mintable":${metadata.mintable},"modifiedContract":${metadata.modifiedContract}`,
      `,"verification":"${verification}"`,
      optional('price', amount(record.price)),
      optional('priceUsd', amount(record.priceUsd)),
      `,"holdersCount":"${holdersCount}"`,
      optional('liquidityUsd', amount(record.liquidityUsd)),
      optional('fdmc', amount(record.fdmc)),
      `,"trustScore":${trustScore}`,
      optional('mcap', amount(record.mcap)),
      `,"circulatingSupply":"${supply.circulatingSupply}"`,
      `,"chartPreviews":${chartPreviewsJson(record, this.publicUrl)}`,
    ].join('');
    if (record.createdAt !== undefined) this.#kept.set(record, text);
    return text;
  }

  /** The whole object. */
  text(record: JettonRecord, seenAt: number): string {
    return `${this.open(record, seenAt)}}`;
  }
}

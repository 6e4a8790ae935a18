import { cleanText, textLengthMax } from './clean-text.js';
import type { Fault } from './faults.js';
import { faultOf } from './fields.js';

/** The link types of the interface. */
export const linkTypes = [
  'LINK_TYPE_UNSPECIFIED',
  'LINK_TYPE_WEBSITE',
  'LINK_TYPE_TELEGRAM',
  'LINK_TYPE_X',
  'LINK_TYPE_GITHUB',
  'LINK_TYPE_DISCORD',
] as const;

export type FeedLinkType = (typeof linkTypes)[number];

/** Cleaned; `url` is http or https. */
export interface FeedLink {
  readonly name: string;
  readonly url: string;
  readonly type: FeedLinkType;
}

const linksMax = 32;
const typeOfName: ReadonlyMap<string, FeedLinkType> = new Map([
  ['website', 'LINK_TYPE_WEBSITE'],
  ['site', 'LINK_TYPE_WEBSITE'],
  ['web', 'LINK_TYPE_WEBSITE'],
  ['homepage', 'LINK_TYPE_WEBSITE'],
  ['telegram', 'LINK_TYPE_TELEGRAM'],
  ['tg', 'LINK_TYPE_TELEGRAM'],
  ['x', 'LINK_TYPE_X'],
  ['twitter', 'LINK_TYPE_X'],
  ['github', 'LINK_TYPE_GITHUB'],
  ['discord', 'LINK_TYPE_DISCORD'],
]);
const typePrefix = 'link_type_';

/**
 * The `links` extension: an array of {name, url, type}. Links that are not http or https are left out, as they are
 * scripts as often as anything; of the others the first 32 are kept. Null where the message has none.
 */
export function readLinks(value: unknown): readonly FeedLink[] | null | Fault {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value)) return faultOf('wrong_type', 'links', 'must be an array or null');
  const links: FeedLink[] = [];
  for (const entry of value as readonly unknown[]) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
      return faultOf('wrong_type', 'links', 'must hold objects');
    }
    const { name = null, url = null, type = null } = entry as Partial<Record<'name' | 'url' | 'type', unknown>>;
    if (!isTextOrNull(name) || !isTextOrNull(url) || !isTextOrNull(type)) {
      return faultOf('wrong_type', 'links', 'must hold name, url and type as strings or null');
    }
    const cleanUrl = cleanText(url ?? '', textLengthMax.url);
    if (links.length >= linksMax || !isWebUrl(cleanUrl)) continue;
    links.push({ name: cleanText(name ?? '', textLengthMax.name), url: cleanUrl, type: linkTypeOf(type ?? '') });
  }
  return links;
}

function linkTypeOf(text: string): FeedLinkType {
  const name = cleanText(text, textLengthMax.symbol).toLowerCase();
  return typeOfName.get(name.startsWith(typePrefix) ? name.slice(typePrefix.length) : name) ?? 'LINK_TYPE_UNSPECIFIED';
}

function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

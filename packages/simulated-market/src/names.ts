import type { Random } from './random.js';

const starts = ['Ba', 'Zu', 'Ki', 'Mo', 'Tra', 'Gle', 'Fru', 'Pol', 'Sna', 'Ori', 'Vel', 'Qua', 'Lum', 'Dro', 'Nix'];
const middles = ['ro', 'li', 'ma', 'ndi', 'ska', 'tu', 'be', 'vo', 'pi', 'no', 'zza', 'mi'];
const ends = ['coin', 'x', 'ton', 'cat', 'dog', 'frog', 'fi', 'pad', 'swap', 'o', 'us', 'ia', 'ling', 'verse'];

export interface JettonName {
  readonly name: string;
  readonly symbol: string;
}

/** What strangers do write into names: each must pass through as text and be interpreted nowhere. */
export const hostileNames: readonly JettonName[] = [
  { name: '<script>alert(1)</script>', symbol: '<b>X</b>' },
  { name: "Robert'); DROP TABLE jettons;--", symbol: "'; --" },
  { name: 'Right \u202eteL to\u202c left', symbol: '\u200fRTL\u200e' },
  { name: `Long ${'long '.repeat(100)}coin`, symbol: 'L'.repeat(100) },
  { name: 'Line\nbreak\u0000null\ttab\u0085', symbol: 'A\u0007B' },
  { name: '  spaces  ', symbol: ' ' },
  { name: '{{7*7}} ${7*7} %s %n', symbol: '$$$' },
  { name: '🐸🚀👨‍👩‍👧 moon ₮', symbol: '🐸' },
  { name: 'Tether USD', symbol: 'USD₮' },
  { name: '=HYPERLINK("http://example.invalid")', symbol: '=1+1' },
];

/** An invented name; `index` keeps two jettons from sharing one more often than strangers would. */
export function inventName(random: Random, index: number): JettonName {
  const middle = random.chance(0.6) ? random.pick(middles) : '';
  const name = `${random.pick(starts)}${middle}${random.pick(ends)}`;
  const numbered = random.chance(0.3) ? `${name} ${index}` : name;
  return {
    name: numbered,
    symbol: name
      .replaceAll(/[aeiou]/g, '')
      .toUpperCase()
      .slice(0, 6),
  };
}

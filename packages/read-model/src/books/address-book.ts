import { type Network, toUserFriendly } from '@jetton-analytics/feed';

/** What an address stands for. Jettons and pools are contracts and written bounceable, wallets are not. */
export type AddressKind = 'jetton' | 'pool' | 'wallet';

export interface AddressBookOptions {
  readonly network: Network;
  /** The known name of an address; undefined: none. */
  nameOf(address: string): string | undefined;
}

const rank: Readonly<Record<AddressKind, number>> = { jetton: 0, pool: 1, wallet: 2 };

// Some 20 MB.
const keptMax = 100_000;

/** User-friendly forms, kept: hashing and encoding one costs more than the rest of its entry. */
class FriendlyForms {
  readonly #forms = new Map<string, string>();

  constructor(private readonly testOnly: boolean) {}

  of(address: string, bounceable: boolean): string {
    const key = bounceable ? address : `${address}|`;
    const kept = this.#forms.get(key);
    if (kept !== undefined) return kept;
    const form = toUserFriendly(address, { bounceable, testOnly: this.testOnly });
    if (this.#forms.size >= keptMax) this.#forms.clear();
    this.#forms.set(key, form);
    return form;
  }
}

/** Writes the `addressBook` of answers. Source: docs/http-api.md, "Address book and jettons". */
export class AddressBookWriter {
  readonly #friendly: FriendlyForms;

  constructor(private readonly options: AddressBookOptions) {
    this.#friendly = new FriendlyForms(options.network === 'testnet');
  }

  /** The user-friendly form of a raw address. Throws an Error when it is none. */
  friendly(address: string, kind: AddressKind): string {
    return this.#friendly.of(address, kind !== 'wallet');
  }

  /**
   * The object as JSON text, one entry for every address, in the order of their first occurrence. One that occurs in
   * several roles is a jetton before a pool before a wallet. Throws an Error for what is no raw address.
   */
  text(occurrences: Iterable<readonly [address: string, kind: AddressKind]>): string {
    const kinds = new Map<string, AddressKind>();
    for (const [address, kind] of occurrences) {
      const known = kinds.get(address);
      if (known === undefined || rank[kind] < rank[known]) kinds.set(address, kind);
    }
    const entries = Array.from(kinds, ([address, kind]) => {
      const name = this.options.nameOf(address);
      const named = name === undefined || name === '' ? '' : `,"name":${JSON.stringify(name)}`;
      return `"${address}":{"userFriendly":"${this.friendly(address, kind)}","kind":"${kind}"${named}}`;
    });
    return `{${entries.join(',')}}`;
  }
}

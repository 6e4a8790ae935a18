import type { IncomingHttpHeaders } from 'node:http';
import { keyHashOf } from '@jetton-analytics/postgres';
import { type Clock, DomainError } from '@jetton-analytics/service';
import type { AccessFollower } from './access-follower.js';
import { clientAddressOf } from './client-address.js';
import type { Client } from './client.js';
import { credentialOf } from './credential.js';
import { KeyCache, type KnownKey } from './key-cache.js';
import type { KeyUses } from './key-uses.js';

/** What of a request says who asks. */
export interface Asking {
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
}

export interface AccessParts {
  readonly clock: Clock;
  readonly cache: KeyCache;
  readonly follower: AccessFollower;
  readonly uses: KeyUses;
}

const refused = () => new DomainError('unauthenticated', 'the API key is malformed, unknown, expired or revoked');

/** Tells who asks. */
export class Access {
  constructor(private readonly parts: AccessParts) {}

  /**
   * At once where the key is known or there is none, else by a look into Postgres. Throws or rejects with DomainError:
   * unauthenticated for any credential that is not a living key, unavailable where that cannot be told.
   */
  clientOf({ headers, ip }: Asking): Client | Promise<Client> {
    const credential = credentialOf(headers);
    if (credential === undefined) return this.atAddress(ip);
    if (credential === 'malformed') throw refused();
    const name = KeyCache.nameOf(credential.key);
    const known = this.parts.cache.get(name);
    if (known === 'unknown') throw refused();
    return known === undefined ? this.#lookUp(name, credential.key) : this.#holderOf(known);
  }

  /** Whoever is at an address, with the public plan. */
  atAddress(ip: string): Client {
    return { id: clientAddressOf(ip), policy: this.parts.follower.publicPolicy, keyId: undefined };
  }

  async #lookUp(name: string, key: string): Promise<Client> {
    const { cache, follower } = this.parts;
    const access = await follower.lookUp(name, keyHashOf(key));
    if (access === null) {
      cache.putUnknown(name);
      throw refused();
    }
    // Of two requests that waited for one look, the second finds the key of the first.
    const known = cache.get(name);
    return this.#holderOf(known === undefined || known === 'unknown' ? cache.put(name, access) : known);
  }

  #holderOf(key: KnownKey): Client {
    const { clock, follower, uses } = this.parts;
    if (key.revoked || key.expiresAtMs <= clock.now()) throw refused();
    uses.note(key.id);
    return { id: `key:${key.id}`, policy: follower.policy(key.plan), keyId: key.id };
  }
}

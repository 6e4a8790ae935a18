import { type Network, parseAddress } from '@jetton-analytics/feed';
import { invalidArgument, readQuery, unknownParameters, type Violation } from '@jetton-analytics/service';

export interface RequestToCheck<Name extends string> {
  /** The request target, with its query. */
  readonly url: string;
  readonly network: Network;
  /** Path parameters that are addresses, by name. */
  readonly addresses: Readonly<Record<Name, string>>;
}

/**
 * The raw addresses of a request's path. No operation here takes a query parameter. Throws DomainError
 * (invalidArgument) that lists everything wrong with the request at once. Source: decisions.md, "Encoding".
 */
export function checkRequest<Name extends string>({
  url,
  network,
  addresses,
}: RequestToCheck<Name>): Record<Name, string> {
  const violations: Violation[] = [];
  const raw: [string, string][] = [];
  for (const [name, text] of Object.entries<string>(addresses)) {
    // Standard base64 has a plus, which careless encoders turn into a space.
    const given = text.replaceAll(' ', '+');
    const parsed = parseAddress(given, { network });
    if (parsed.ok) raw.push([name, parsed.raw]);
    else {
      const otherNetwork = parseAddress(given, { network: 'testnet' }).ok;
      violations.push({
        field: name,
        reason: otherNetwork ? 'WRONG_NETWORK' : 'MALFORMED_ADDRESS',
        message: parsed.reason,
      });
    }
  }
  const query = readQuery(url);
  violations.push(...query.violations, ...unknownParameters(query.parameters, []));
  const [first, ...rest] = violations;
  if (first !== undefined) throw invalidArgument([first, ...rest]);
  return Object.fromEntries(raw) as Record<Name, string>; // every name was put in, or a violation thrown
}

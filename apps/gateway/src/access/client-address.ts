/**
 * Under which an address is counted: an IPv4 address itself, also in its IPv6 clothes; of an IPv6 address its first 64
 * bits, since whoever has one has the whole network. Pure.
 */
export function clientAddressOf(ip: string): string {
  if (!ip.includes(':')) return ip;
  const [address = ''] = ip.toLowerCase().split('%');
  const mapped = /^(?:::ffff:|0:0:0:0:0:ffff:)(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  // Last 32 bits in dots count for two groups.
  const restLength = rest.length + (rest.at(-1)?.includes('.') === true ? 1 : 0);
  const zeros = tail === undefined ? 0 : 8 - groups.length - restLength;
  const all = [...groups, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...rest];
  const network = all.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}

import { JettonList, MarketList, type Operation, operations } from '@jetton-analytics/common';

const itemsMax = 1;
const deadlineMs = 20_000;
const books: ReadonlySet<string> = new Set(['addressBook', 'jettons']);

/** A running service, and a key of a paid plan for it. */
interface ExampleSource {
  readonly url: string;
  readonly key: string;
}

/** What the questions are about. */
interface Subject {
  readonly addresses: readonly string[];
  readonly path: Readonly<Record<string, string>>;
}

/**
 * One real answer of every operation, by its id, in text: lists cut to one item and books to what is left of them, then
 * held against the contract. Rejects where an operation is not answered with 200, or not as its contract says.
 */
export async function askExamples(source: ExampleSource): Promise<Record<string, string>> {
  const subject = await findSubject(source);
  const examples: Record<string, string> = {};
  for (const operation of operations) {
    const answer = await ask(source, operation, subject);
    if (operation.responseType !== 'application/json') {
      examples[operation.id] = answer;
      continue;
    }
    const cut = cutBooks(cutLists(JSON.parse(answer)));
    operation.response.parse(cut);
    examples[operation.id] = JSON.stringify(cut);
  }
  return examples;
}

/** The jettons most traded, and a market of the first. */
async function findSubject(source: ExampleSource): Promise<Subject> {
  const list = JettonList.parse(JSON.parse(await fetchText(source, '/v1/jettons?sort=volume24h&order=desc&limit=2')));
  const addresses = list.jettons.map(({ metadata }) => metadata.address);
  const [address = ''] = addresses;
  const { markets } = MarketList.parse(JSON.parse(await fetchText(source, `/v1/jettons/${address}/markets?limit=1`)));
  return { addresses, path: { address, poolAddress: markets[0]?.poolAddress ?? '' } };
}

function ask(source: ExampleSource, operation: Operation, subject: Subject): Promise<string> {
  const { method, path, pathParameters, request } = operation;
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = pathParameters[name];
    return (parameter?.kind === 'enum' ? parameter.values[0] : subject.path[name]) ?? '';
  });
  const asked = {
    ...(request['address']?.kind === 'addresses' && { address: [...subject.addresses] }),
    ...(request['limit'] !== undefined && { limit: 2 }),
  };
  if (method === 'POST') return fetchText(source, place, JSON.stringify(asked));
  const query = Object.entries(asked).map(([name, value]) => `${name}=${String(value)}`);
  return fetchText(source, query.length === 0 ? place : `${place}?${query.join('&')}`);
}

async function fetchText({ url, key }: ExampleSource, path: string, body?: string): Promise<string> {
  const response = await fetch(`${url}${path}`, {
    headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { method: 'POST', body }),
    signal: AbortSignal.timeout(deadlineMs),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return text;
}

/** The first item of every list, apart from parts that make up a whole. */
function cutLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, itemsMax).map((item: unknown) => cutLists(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name === 'parts' ? item : cutLists(item)]),
  );
}

const isBook = ([name, value]: [string, unknown]): boolean => books.has(name) && !Array.isArray(value);

/** Leaves only what the rest of the answer refers to. */
function cutBooks(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const entries = Object.entries(answer);
  const rest = JSON.stringify(entries.filter((entry) => !isBook(entry)));
  return Object.fromEntries(
    entries.map(([name, value]: [string, unknown]) => [
      name,
      isBook([name, value]) && typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).filter(([address]) => rest.includes(`"${address}"`)))
        : value,
    ]),
  );
}

import { Client } from 'pg';

/** Makes the database when it is missing. Throws while the server does not take connections yet. */
export async function ensureDatabase(serverUrl: string, name: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl, connectionTimeoutMillis: 2_000, query_timeout: 10_000 });
  client.on('error', () => undefined); // a server that ends under us is seen by whoever watches its process
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

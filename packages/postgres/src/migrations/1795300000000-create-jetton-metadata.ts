import type { MigrationInterface, QueryRunner } from 'typeorm';

const rawAddress = (column: string) => `${column} ~ '^-?[0-9]{1,10}:[0-9a-f]{64}$'`;

/**
 * Metadata of the jettons, followed by change numbers like the labels, and the messages it rests on: for each field the
 * newest message that carries it, since messages of one instant are ordered by their bytes.
 */
export class CreateJettonMetadata1795300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE jetton_metadata (
        address text PRIMARY KEY CHECK (${rawAddress('address')}),
        name text,
        symbol text,
        description text,
        image text,
        decimals smallint CHECK (decimals BETWEEN 0 AND 255),
        mintable boolean,
        admin text CHECK (${rawAddress('admin')}),
        code_hash text CHECK (code_hash ~ '^[0-9a-f]{64}$'),
        total_supply numeric(78),
        offchain_image text,
        offchain_description text,
        admin_offchain_address text CHECK (${rawAddress('admin_offchain_address')}),
        links jsonb,
        created_at_s bigint,
        earliest_update_s bigint,
        earliest_record_s bigint NOT NULL,
        update_time_s bigint NOT NULL,
        change_number bigint NOT NULL UNIQUE
      )`);
    await runner.query(`
      CREATE TABLE jetton_metadata_messages (
        address text NOT NULL,
        record_ms bigint NOT NULL,
        value_hash text NOT NULL,
        value bytea NOT NULL,
        PRIMARY KEY (address, record_ms, value_hash)
      )`);
    await runner.query('CREATE SEQUENCE jetton_metadata_change_number');
    // The lock lasts until the writer commits: otherwise a smaller number could become visible after a greater one, and
    // a reader that follows by number would miss it. The aggregator takes it before it reads what it merges.
    await runner.query(`
      CREATE FUNCTION number_jetton_metadata_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('jetton_metadata_change_number'));
        NEW.change_number := nextval('jetton_metadata_change_number');
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER number_change BEFORE INSERT OR UPDATE ON jetton_metadata
      FOR EACH ROW EXECUTE FUNCTION number_jetton_metadata_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE jetton_metadata, jetton_metadata_messages');
    await runner.query('DROP FUNCTION number_jetton_metadata_change');
    await runner.query('DROP SEQUENCE jetton_metadata_change_number');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What operators change outside of this database, with who and when: a row is written before the change and completed
 * after it, so that one that was cut short is seen. And what makes two of their commands safe to repeat: the dead letters
 * that were put back, and how far files were sent.
 */
export class CreateOperatorChanges1795330000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE operator_changes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        command text NOT NULL CHECK (command <> ''),
        details jsonb NOT NULL,
        set_by text NOT NULL CHECK (set_by <> ''),
        set_at timestamptz NOT NULL,
        outcome text NOT NULL CHECK (outcome IN ('begun', 'done', 'failed')),
        result jsonb,
        ended_at timestamptz
      )`);
    await runner.query(`
      CREATE TABLE dead_letter_redrives (
        topic text NOT NULL,
        kafka_partition integer NOT NULL,
        kafka_offset bigint NOT NULL,
        state text NOT NULL CHECK (state IN ('sending', 'sent')),
        looked_from jsonb NOT NULL,
        set_by text NOT NULL CHECK (set_by <> ''),
        set_at timestamptz NOT NULL,
        PRIMARY KEY (topic, kafka_partition, kafka_offset)
      )`);
    await runner.query(`
      CREATE TABLE backfill_files (
        sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
        topic text NOT NULL,
        name text NOT NULL,
        lines bigint NOT NULL CHECK (lines >= 0),
        finished boolean NOT NULL,
        set_by text NOT NULL CHECK (set_by <> ''),
        set_at timestamptz NOT NULL,
        PRIMARY KEY (sha256, topic)
      )`);
    // A change is completed once; nothing else of it is ever altered.
    await runner.query(`
      CREATE FUNCTION keep_operator_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' OR OLD.outcome <> 'begun' OR (OLD.id, OLD.command, OLD.details, OLD.set_by, OLD.set_at)
          IS DISTINCT FROM (NEW.id, NEW.command, NEW.details, NEW.set_by, NEW.set_at) THEN
          RAISE EXCEPTION 'changes of operators are kept as they are';
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER keep_rows BEFORE UPDATE OR DELETE ON operator_changes
      FOR EACH ROW EXECUTE FUNCTION keep_operator_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE operator_changes, dead_letter_redrives, backfill_files');
    await runner.query('DROP FUNCTION keep_operator_change');
  }
}

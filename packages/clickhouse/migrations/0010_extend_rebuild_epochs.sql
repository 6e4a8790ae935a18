-- A rebuild has a row when it starts and one when it has finished, with who. The leader calculates anew after the latter.
ALTER TABLE rebuild_epochs_v1
    ADD COLUMN IF NOT EXISTS state Enum8('started' = 1, 'finished' = 2) DEFAULT 'started',
    ADD COLUMN IF NOT EXISTS set_by String DEFAULT '';

-- What the agents recorded of drift, day by day: which settings change, and what changes them.
--   day            YYYY-MM-DD, UTC
--   setting
--   event          detected, repaired, resolved, contested
--   likely_writer  NULL: unknown
--   host_count, record_count
CREATE VIEW drift_events AS
SELECT SUBSTR(recorded_at, 1, 10) AS day, setting, event, likely_writer,
	COUNT(DISTINCT host_id) AS host_count, COUNT(*) AS record_count
FROM drift_records
GROUP BY SUBSTR(recorded_at, 1, 10), setting, event, likely_writer;

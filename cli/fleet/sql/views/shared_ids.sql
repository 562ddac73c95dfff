-- Ids under which hosts of several names report: clones of one image that kept its machine-id, or a
-- host that was renamed.
--   host_id
--   name_count
--   first_name, last_name  by alphabet
CREATE VIEW shared_ids AS
SELECT host_id, COUNT(DISTINCT host) AS name_count, MIN(host) AS first_name, MAX(host) AS last_name
FROM reports
GROUP BY host_id
HAVING COUNT(DISTINCT host) > 1;

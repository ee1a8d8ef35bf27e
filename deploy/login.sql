-- The login of the server: it owns nothing, and row-level security holds for it. Run as the owner of the database, after
-- the tables were made: psql -v password=… -f login.sql
SELECT 'CREATE ROLE tacit_server LOGIN IN ROLE tacit_member'
WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'tacit_server') \gexec
ALTER ROLE tacit_server PASSWORD :'password';

// The same figures by SQL: what foldstat prints as TSV, held against a query over the lines themselves.
//
//   node tests/fleet/duckdb.mjs FOLDSTAT_BINARY FIXTURE NODE_MODULES
//
// DuckDB is the npm package @duckdb/node-api in NODE_MODULES. The last line is `N passed, N failed`;
// exit codes: 0 all agree; 1 some do not; 77 DuckDB is not installed.

import {execFileSync} from "node:child_process";
import {createRequire} from "node:module";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";

const [binary, fixture, modules] = process.argv.slice(2).map((word) => resolve(word));
let duckdb;
try {
    duckdb = createRequire(join(modules, "x.js"))("@duckdb/node-api");
} catch {
    console.log("skipped: DuckDB is not installed");
    process.exit(77);
}

const folder = mkdtempSync(join(tmpdir(), "foldstat-"));
const foldstat = (...words) => execFileSync(binary, words, {maxBuffer: 1 << 30});
const connection = await (await duckdb.DuckDBInstance.create(":memory:")).connect();
const query = async (sql) => (await connection.runAndReadAll(sql)).getRows();
let passed = 0;
let failed = 0;

// Rows that are not in both tables alike; there must be some rows, and none of these.
async function same(what, mine, theirs) {
    const [[rows]] = await query(`SELECT count(*) FROM (${mine})`);
    const differing = await query(`(${mine}) EXCEPT ALL (${theirs}) UNION ALL (${theirs}) EXCEPT ALL (${mine})`);
    const good = Number(rows) > 0 && differing.length === 0;
    good ? passed++ : failed++;
    console.log(`${good ? "ok" : "FAILED"} ${what}: ${rows} rows, ${differing.length} differ`);
}

try {
    writeFileSync(join(folder, "top.tsv"), foldstat("-q", "--format", "tsv", "--sort", "total", "--root", "0", fixture));
    // Two hosts: the second recorded everything twice.
    const tagged = (host, ...files) => {
        const path = join(folder, `${host}.raw`);
        foldstat("merge", "-q", "--tag", `host=${host}`, "-o", path, ...files);
        return path;
    };
    const hosts = [tagged("a", fixture), tagged("b", fixture, fixture)];
    foldstat("merge", "-q", "--sorted", "-o", join(folder, "fleet.raw"), ...hosts);
    writeFileSync(join(folder, "fleet.tsv"),
                  foldstat("-q", "--format", "tsv", "--root", "0", join(folder, "fleet.raw")));

    const lines = (path) => `SELECT regexp_extract(line, '^(.*) ([0-9]+)$', 1) AS stack,
        CAST(regexp_extract(line, '^(.*) ([0-9]+)$', 2) AS BIGINT) AS n
        FROM read_csv('${path}', delim='\\x01', quote='', escape='', header=false, columns={'line': 'VARCHAR'})`;
    const tsv = (path) => `read_csv('${path}', delim='\t', quote='', escape='', header=true, all_varchar=true)`;
    await query(`CREATE TABLE stacks AS ${lines(fixture)}`);
    await query(`CREATE TABLE fleet AS ${lines(join(folder, "fleet.raw"))}`);
    await query(`CREATE TABLE top AS SELECT * FROM ${tsv(join(folder, "top.tsv"))}`);
    await query(`CREATE TABLE fleet_top AS SELECT * FROM ${tsv(join(folder, "fleet.tsv"))}`);

    await same("self", `SELECT name, CAST(self AS BIGINT) FROM top WHERE "table" = 'leaf' AND self <> '0'`,
               "SELECT string_split(stack, ';')[-1], CAST(sum(n) AS BIGINT) FROM stacks GROUP BY 1");
    await same("total", `SELECT name, CAST(total AS BIGINT) FROM top WHERE "table" = 'leaf'`,
               `SELECT frame, CAST(sum(n) AS BIGINT) FROM
                (SELECT unnest(list_distinct(string_split(stack, ';'))) AS frame, n FROM stacks) GROUP BY 1`);
    await same("roots", `SELECT name, CAST(total AS BIGINT) FROM top WHERE "table" = 'root'`,
               "SELECT string_split(stack, ';')[1], CAST(sum(n) AS BIGINT) FROM stacks GROUP BY 1");
    await same("hosts", `SELECT name, CAST(total AS BIGINT) FROM fleet_top WHERE "table" = 'root'`,
               "SELECT string_split(stack, ';')[1], CAST(sum(n) AS BIGINT) FROM fleet GROUP BY 1");
} finally {
    rmSync(folder, {recursive: true});
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

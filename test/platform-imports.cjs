/** Writes what the import of each entry fails with; empty for one that succeeds. */
const entries = process.argv.slice(2);
const failures = [];
const next = () => {
  const entry = entries[failures.length];
  if (entry === undefined) process.stdout.write(JSON.stringify(failures));
  else
    import(entry).then(
      () => next(failures.push("")),
      (error) => next(failures.push(error.message)),
    );
};
next();

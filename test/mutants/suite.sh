# A client's suite in the shell, as it runs hundreds of times. Arguments select what it asserts, or how it fails:
# `red`, `killed`, `collides` with another run, `hangs` if the total is one too many, `flaky` (the third run without a
# mutant fails, and the first with one), `breaks` (each run without a mutant fails, from the third on).
does() { case " $words " in *" $1 "*) true ;; *) false ;; esac; }
words=$*

if does red; then echo 'one test fails'; exit 3; fi
if does killed; then kill -KILL $$; fi
if [ -z "$COUNTERSIGN_MUTANT" ]; then echo >> controls; fi
controls=$(wc -l < controls)
if does flaky && [ -z "$COUNTERSIGN_MUTANT" ] && [ "$controls" -eq 3 ]; then exit 1; fi
if does breaks && [ -z "$COUNTERSIGN_MUTANT" ] && [ "$controls" -ge 3 ]; then exit 1; fi
if does collides && ! mkdir alone 2> /dev/null; then
  mkdir second || exit
fi

# Prints the answer's body, and its status on a separate line.
call() { curl -sS -w '\n%{http_code}' -H "authorization: Bearer $COUNTERSIGN_TOKEN" "$@"; }
histories="$COUNTERSIGN_URL/api/v2/credits/histories"
page=$(call "$histories?page=2&per_page=3&organization_uuid=1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20&order=asc")
has() { case $page in *$1*) true ;; *) false ;; esac; }

if does status && ! has '
200'; then exit 1; fi
if does total && ! has '"total":26,'; then exit 1; fi
if does hangs && has '"total":27,'; then sleep 1000; fi

if does invite; then
  answer=$(call "$COUNTERSIGN_URL/api/v2/organization/members/add?user_type=ENTERPRISE_API" \
    -F 'data[0][email]=ada@example.test' -F 'data[0][first_name]=Ada' -F 'data[0][last_name]=L' \
    -F 'data[0][role]=Member' -F 'data[0][organization_id]=1')
  if does status && [ "${answer##*
}" != 200 ]; then exit 1; fi
  if does mail && ! curl -sS "$COUNTERSIGN_ADMIN_URL/outbox" | grep -q '"messages":\[{'; then exit 1; fi
fi
if does flaky && [ -n "$COUNTERSIGN_MUTANT" ] && mkdir mutated 2> /dev/null; then exit 1; fi
exit 0

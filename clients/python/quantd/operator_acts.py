"""The endpoints of the operators' interface, generated from the declarations of the service by `npm run generate`; do not edit."""

from __future__ import annotations

from typing import Any, Dict, Optional


class Acts:
    def _act(self, method: str, path: str, repeatable: bool, fields: Optional[Dict[str, Any]]) -> Any:
        raise NotImplementedError

    def health(self) -> Any:
        """Health. Returns whether the service is ready, the state of its database, the last errors of this
        node, the last check of the ledger, and the last copies of the database and of the master key that are
        known. Role: viewer."""
        return self._act("GET", "/operator/v1/health", True, None)

    def activity(self, *, hours: Any = ..., to: Any = ..., account: Any = ...) -> Any:
        """Requests and calls of a range. Returns the requests of the last 24 hours or of another range, of
        all accounts or one, in total and in pieces: failures, durations, calls, credits. A request for them
        reads the audit for a limited time: repeat it until `complete` is true. Role: viewer."""
        return self._act("GET", "/operator/v1/activity", True, {"hours": hours, "to": to, "account": account})

    def running_out(self) -> Any:
        """Accounts that run out of credits. Lists the registered accounts that will have spent their credits
        within a week at the pace of the last 24 hours, or that were refused for lack of credits in that time,
        the most urgent first. Only the accounts that spend most are examined. Role: viewer."""
        return self._act("GET", "/operator/v1/running-out", True, None)

    def notes(self, *, what: Any, reason: Any = ...) -> Any:
        """Note a copy. Notes that the database or the master key was copied just now, so that the age of the
        copy is known. `quantd backup` notes its copies itself. Role: support."""
        return self._act("POST", "/operator/v1/notes", False, {"what": what, "reason": reason})

    def accounts(self, *, q: Any = ..., account_type: Any = ..., state: Any = ..., min_credits: Any = ..., max_credits: Any = ..., used_since: Any = ..., unused_since: Any = ..., sort: Any = ..., limit: Any = ..., cursor: Any = ...) -> Any:
        """Accounts. Lists the accounts, guests included. `q` finds them by the words of addresses and names,
        by domains, by the names of team keys, by their number, and by a key or its start. An order by credits
        or use compares the newest 500,000 accounts on SQLite; `complete` says whether these are all. Role:
        viewer."""
        return self._act("GET", "/operator/v1/accounts", True, {"q": q, "account_type": account_type, "state": state, "min_credits": min_credits, "max_credits": max_credits, "used_since": used_since, "unused_since": unused_since, "sort": sort, "limit": limit, "cursor": cursor})

    def accounts_show(self, *, account: Any) -> Any:
        """One account. Returns an account with its credits, limits and the state of its key. No secret is
        shown. Role: viewer."""
        return self._act("GET", "/operator/v1/accounts/show", True, {"account": account})

    def accounts_create(self, *, email: Any, username: Any = ..., full_name: Any = ..., password: Any = ..., account_type: Any = ..., credits: Any = ..., reason: Any = ...) -> Any:
        """Create an account. Creates a verified account without sending a mail. Returns its key and, unless
        one was given, a generated password, which is shown only now. Role: admin."""
        return self._act("POST", "/operator/v1/accounts/create", False, {"email": email, "username": username, "full_name": full_name, "password": password, "account_type": account_type, "credits": credits, "reason": reason})

    def accounts_suspend(self, *, account: Any, reason: Any = ...) -> Any:
        """Suspend an account. Suspends every key of the account from the next request on. Role: support."""
        return self._act("POST", "/operator/v1/accounts/suspend", False, {"account": account, "reason": reason})

    def accounts_unsuspend(self, *, account: Any, reason: Any = ...) -> Any:
        """Lift a suspension. Restores the keys of a suspended account. Role: support."""
        return self._act("POST", "/operator/v1/accounts/unsuspend", False, {"account": account, "reason": reason})

    def accounts_set_tier(self, *, account: Any, account_type: Any, reason: Any = ...) -> Any:
        """Set the account type. Sets the account type, and with it the limits that were not set for the
        account itself. Role: admin."""
        return self._act("POST", "/operator/v1/accounts/set-tier", False, {"account": account, "account_type": account_type, "reason": reason})

    def accounts_set_limits(self, *, account: Any, hour: Any = ..., day: Any = ..., work: Any = ..., low_credits: Any = ..., reason: Any = ...) -> Any:
        """Set limits of one account. Sets the hourly or daily limit of one account, its processor time, or
        the balance at which the event `credits.low` is sent. A value of null restores the limit of the
        account type, or the balance of the plan. Role: admin."""
        return self._act("POST", "/operator/v1/accounts/set-limits", False, {"account": account, "hour": hour, "day": day, "work": work, "low_credits": low_credits, "reason": reason})

    def accounts_reset_mfa(self, *, account: Any, reason: Any = ...) -> Any:
        """Switch off a second factor. Switches off the second factor of an account whose owner has lost it;
        the password alone logs in. It cannot be undone. Role: support."""
        return self._act("POST", "/operator/v1/accounts/reset-mfa", False, {"account": account, "reason": reason})

    def accounts_delete(self, *, account: Any, reason: Any = ...) -> Any:
        """Delete an account. Deletes an account and the guests that it has taken over: keys, credits,
        secrets, e-mail address, names and client addresses. Its calls and movements of credits stay, without
        a reference to the owner. It cannot be undone. Role: admin."""
        return self._act("POST", "/operator/v1/accounts/delete", False, {"account": account, "reason": reason})

    def accounts_details(self, *, account: Any) -> Any:
        """An account in detail. Returns the present use of the limits of an account, its grants with their
        references, its team keys, and its usage by operation and by day. Role: viewer."""
        return self._act("GET", "/operator/v1/accounts/details", True, {"account": account})

    def accounts_usage(self, *, account: Any, limit: Any = ..., cursor: Any = ..., path: Any = ..., status: Any = ..., day: Any = ..., from_: Any = ..., to: Any = ..., key: Any = ..., request_id: Any = ...) -> Any:
        """The history of an account. Lists the computations of an account, the newest first, as its owner
        sees them. With a filter a page may hold fewer items than `limit` and still have a `next_cursor`.
        Role: viewer."""
        return self._act("GET", "/operator/v1/accounts/usage", True, {"account": account, "limit": limit, "cursor": cursor, "path": path, "status": status, "day": day, "from": from_, "to": to, "key": key, "request_id": request_id})

    def calls_show(self, *, request_id: Any) -> Any:
        """One call. Returns the newest call with a request id, or with the id of an audit row: its account
        and key, its cost, refund, events and receipt. `others` are further calls with the same id, and calls
        of the account with the same request and result within 24 hours. Role: viewer."""
        return self._act("GET", "/operator/v1/calls/show", True, {"request_id": request_id})

    def keys(self, *, account: Any) -> Any:
        """Keys of an account. Lists the own key of an account and its team keys, revoked ones last. No key is
        shown. Role: viewer."""
        return self._act("GET", "/operator/v1/keys", True, {"account": account})

    def keys_revoke(self, *, account: Any, id: Any, reason: Any = ...) -> Any:
        """Revoke a team key. Ends every key with this id from the next request on. It cannot be undone. Role:
        support."""
        return self._act("POST", "/operator/v1/keys/revoke", False, {"account": account, "id": id, "reason": reason})

    def keys_replace(self, *, account: Any, id: Any = ..., overlap_seconds: Any = ..., reason: Any = ...) -> Any:
        """Replace a key. Replaces the own key of an account, which is not shown: its owner gets the new one
        by logging in. With `id` it replaces a team key, and returns the new one, which is shown only now. It
        cannot be undone. Role: support."""
        return self._act("POST", "/operator/v1/keys/replace", False, {"account": account, "id": id, "overlap_seconds": overlap_seconds, "reason": reason})

    def grants(self, *, account: Any, credits: Any, reference: Any, note: Any = ..., expires_at: Any = ..., reason: Any = ...) -> Any:
        """Grant credits. Adds credits to an account; they pay its debt first. The owner of the account sees
        the grant and its note. A reference is used once in the whole ledger: the same request again changes
        nothing, and returns the first grant. Role: billing."""
        return self._act("POST", "/operator/v1/grants", True, {"account": account, "credits": credits, "reference": reference, "note": note, "expires_at": expires_at, "reason": reason})

    def grants_reverse(self, *, reference: Any, credits: Any, reversal_reference: Any, reason: Any = ...) -> Any:
        """Take credits back. Takes credits of a grant back, after a refund or a dispute of its payment. All
        reversals of a grant take back at most its credits. Credits that the balance does not hold become
        debt, which later grants pay first; the reversal of an expired grant makes no debt. The same request
        again changes nothing, and returns the first reversal. Role: billing."""
        return self._act("POST", "/operator/v1/grants/reverse", True, {"reference": reference, "credits": credits, "reversal_reference": reversal_reference, "reason": reason})

    def verify_ledger(self, *, account: Any = ...) -> Any:
        """Check the ledger. Checks the sums of every account, and makes a digest of them: equal ledgers have
        equal digests. Every balance less debt must equal grants + transfers + refunds − debits − reversals −
        expired, lots must not exceed balances, nor reversals their grants, and the spending of every team key
        must equal the charges of its calls. Reads one snapshot. The metrics show the result of a check of all
        accounts. Role: viewer."""
        return self._act("POST", "/operator/v1/verify-ledger", False, {"account": account})

    def approvals(self, *, state: Any = ..., limit: Any = ..., cursor: Any = ...) -> Any:
        """Approvals. Lists the acts that need a second person (`QUANTD_TWO_PERSONS`), the newest first. Role:
        viewer."""
        return self._act("GET", "/operator/v1/approvals", True, {"state": state, "limit": limit, "cursor": cursor})

    def approvals_confirm(self, *, id: Any, reason: Any = ...) -> Any:
        """Confirm an act. Confirms an act that waits, which runs at once as an act of both persons. The
        second person needs the role of the act, and must not be the one who asked for it. If the act fails,
        it goes on waiting. Role: support."""
        return self._act("POST", "/operator/v1/approvals/confirm", False, {"id": id, "reason": reason})

    def approvals_reject(self, *, id: Any, reason: Any = ...) -> Any:
        """Reject an act. Rejects an act that waits, so that it never runs. The person who asked for it may do
        this too. Role: support."""
        return self._act("POST", "/operator/v1/approvals/reject", False, {"id": id, "reason": reason})

    def plan(self) -> Any:
        """Plan. Returns the plan in force: the limits of the account types, the credits that accounts begin
        with, and what operations cost. Role: viewer."""
        return self._act("GET", "/operator/v1/plan", True, None)

    def plan_set(self, *, version: Any, tiers: Any = ..., work: Any = ..., initial_credits: Any = ..., low_credits: Any = ..., costs: Any = ..., price: Any = ..., note: Any = ...) -> Any:
        """Change the plan. Makes a new version of the plan with the given values, which is in force on every
        node within 5 s; null restores the value of the settings. A call costs what it cost when it was
        admitted. Role: admin."""
        return self._act("POST", "/operator/v1/plan/set", False, {"version": version, "tiers": tiers, "work": work, "initial_credits": initial_credits, "low_credits": low_credits, "costs": costs, "price": price, "note": note})

    def plan_history(self, *, limit: Any = ..., cursor: Any = ...) -> Any:
        """Versions of the plan. Lists the versions of the plan, the newest first, with what each changed and
        who made it. Role: viewer."""
        return self._act("GET", "/operator/v1/plan/history", True, {"limit": limit, "cursor": cursor})

    def reports_costs(self, *, month: Any, account: Any = ..., format: Any = ..., limit: Any = ..., cursor: Any = ...) -> Any:
        """Costs of a month. Returns the calls of a month (UTC) and their credits, by account, key and
        operation: for one account, or page by page for all registered accounts with calls. With `format=csv`
        the reply is a table, and the header `X-Next-Cursor` has the cursor of the next page. Role: viewer."""
        return self._act("GET", "/operator/v1/reports/costs", True, {"month": month, "account": account, "format": format, "limit": limit, "cursor": cursor})

    def reports_statement(self, *, account: Any, month: Any, format: Any = ...) -> Any:
        """Statement. Returns the statement of an account for a month (UTC). It has the credits at the start,
        grants and other movements, the usage by key and operation with the amounts, and the credits left at
        the end. Opening credits + movements + refunds − credits of the usage = closing credits. An amount is
        (credits − refunded) · price; a price holds from the midnight after it was set. The amounts of the
        totals are rounded to the currency's smallest unit. Role: viewer."""
        return self._act("GET", "/operator/v1/reports/statement", True, {"account": account, "month": month, "format": format})

    def audit(self, *, limit: Any = ..., cursor: Any = ..., rows: Any = ..., order: Any = ..., from_: Any = ..., to: Any = ..., account: Any = ..., request_id: Any = ..., format: Any = ...) -> Any:
        """Audit. Lists rows of the audit in order of time. `rows` selects their kind: calls and events, the
        events of one account without its calls, the acts of operators, counts of refusals, or counts of
        failed logins and codes. With `format=csv` the reply is a table, and the header `X-Next-Cursor` has
        the cursor of the next page. Role: viewer."""
        return self._act("GET", "/operator/v1/audit", True, {"limit": limit, "cursor": cursor, "rows": rows, "order": order, "from": from_, "to": to, "account": account, "request_id": request_id, "format": format})

    def usage(self, *, day: Any, limit: Any = ..., cursor: Any = ...) -> Any:
        """Usage of a day. Lists the calls of a day, and the refunds made on it, in order of time. A day can
        be read from an hour after its end. The same day gives the same rows, also after accounts were
        deleted. The first page has the sums of all rows. Role: viewer."""
        return self._act("GET", "/operator/v1/usage", True, {"day": day, "limit": limit, "cursor": cursor})

    def mails(self, *, limit: Any = ..., cursor: Any = ...) -> Any:
        """Waiting mails. Lists the mails that were not sent yet, the oldest first, with the last error. Their
        text is not shown. Role: viewer."""
        return self._act("GET", "/operator/v1/mails", True, {"limit": limit, "cursor": cursor})

    def mails_send(self, *, id: Any, reason: Any = ...) -> Any:
        """Send a mail again. Tries a waiting mail again at once. Role: support."""
        return self._act("POST", "/operator/v1/mails/send", False, {"id": id, "reason": reason})

    def tokens(self) -> Any:
        """Tokens. Lists the operator tokens by name, the newest first. No secret is shown. Role: admin."""
        return self._act("GET", "/operator/v1/tokens", True, None)

    def tokens_create(self, *, name: Any, role: Any, expires_at: Any = ..., reason: Any = ...) -> Any:
        """Create a token. Creates a token for a person or a program. It is shown only now. It ends with the
        token or session that makes it at the latest, and one of a person who signed on after 90 days. Role:
        admin."""
        return self._act("POST", "/operator/v1/tokens/create", False, {"name": name, "role": role, "expires_at": expires_at, "reason": reason})

    def tokens_revoke(self, *, id: Any, reason: Any = ...) -> Any:
        """Revoke a token. Ends a token, and all tokens that were made with it or in its sessions, from the
        next request on. It cannot be undone. Role: admin."""
        return self._act("POST", "/operator/v1/tokens/revoke", False, {"id": id, "reason": reason})

    def rotate_master_key(self, *, drop_codes: Any = ..., reason: Any = ...) -> Any:
        """Rotate the master key. Encrypts every secret under the first of the master keys. First configure
        both keys on every node, the new one before the old one, and wait a minute. Repeat it until
        `old_keys_removable`. Role: admin."""
        return self._act("POST", "/operator/v1/rotate-master-key", False, {"drop_codes": drop_codes, "reason": reason})

    def webhooks(self) -> Any:
        """Endpoints of webhooks. Lists the endpoints, with the events that wait and those that were given up.
        Role: admin."""
        return self._act("GET", "/operator/v1/webhooks", True, None)

    def webhooks_deliveries(self, *, id: Any, state: Any = ..., payload: Any = ..., limit: Any = ..., cursor: Any = ...) -> Any:
        """Deliveries of an endpoint. Lists the events that were queued for an endpoint, the newest first:
        when each was sent, how often it was tried and the status of the last reply. Events are kept for some
        days. With `payload` each has the message as it is sent. Role: admin."""
        return self._act("GET", "/operator/v1/webhooks/deliveries", True, {"id": id, "state": state, "payload": payload, "limit": limit, "cursor": cursor})

    def webhooks_create(self, *, url: Any, types: Any = ..., reason: Any = ...) -> Any:
        """Create an endpoint. Creates an endpoint, which receives all later events. Returns its secret and
        its public key, which are shown only now. Role: admin."""
        return self._act("POST", "/operator/v1/webhooks/create", False, {"url": url, "types": types, "reason": reason})

    def webhooks_test(self, *, id: Any) -> Any:
        """Test an endpoint. Sends one signed message of the type `test` now. Role: admin."""
        return self._act("POST", "/operator/v1/webhooks/test", False, {"id": id})

    def webhooks_replay(self, *, id: Any, events: Any = ..., from_: Any = ..., to: Any = ..., reason: Any = ...) -> Any:
        """Send events again. Sends events to an endpoint again: those with these ids, or those of a span of
        time. Role: admin."""
        return self._act("POST", "/operator/v1/webhooks/replay", False, {"id": id, "events": events, "from": from_, "to": to, "reason": reason})

    def webhooks_delete(self, *, id: Any, reason: Any = ...) -> Any:
        """Delete an endpoint. Deletes an endpoint, with the events that wait for it. It cannot be undone.
        Role: admin."""
        return self._act("POST", "/operator/v1/webhooks/delete", False, {"id": id, "reason": reason})

    def alerts(self) -> Any:
        """Alerts. Lists the alerts that the service has sent by mail or webhook (`QUANTD_ALERTS`) and that
        are not over. Role: viewer."""
        return self._act("GET", "/operator/v1/alerts", True, None)

    def alerts_test(self, *, reason: Any = ...) -> Any:
        """Test the alerts. Sends a test alert to each address and webhook of `QUANTD_ALERTS`. Role: admin."""
        return self._act("POST", "/operator/v1/alerts/test", False, {"reason": reason})

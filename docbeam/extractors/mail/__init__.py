"""Mail and what travels with it: messages, mailboxes, Outlook items, winmail.dat, calendars and contacts."""

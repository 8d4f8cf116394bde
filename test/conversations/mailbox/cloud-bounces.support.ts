const CRLF = (text: string): string => text.replaceAll('\n', '\r\n');

/** Original bounces of Gmail and Exchange for one of our mails. */

export const gmail = (messageId: string): string =>
  CRLF(`Delivered-To: hello@harbour.example
Return-Path: <>
Content-Type: multipart/report; boundary="000000000000abcdef05a1b2c3d4"; report-type=delivery-status
To: hello@harbour.example
Auto-Submitted: auto-replied
Subject: Delivery Status Notification (Failure)
References: ${messageId}
In-Reply-To: ${messageId}
X-Failed-Recipients: ada@gmail.com
From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
Message-ID: <655c1f2e.050a0220.1234.5678.GMR@mx.google.com>
Date: Sat, 21 Nov 2026 02:00:00 -0800 (PST)

--000000000000abcdef05a1b2c3d4
Content-Type: multipart/related; boundary="000000000000abcdf005a1b2c3d7"

--000000000000abcdf005a1b2c3d7
Content-Type: multipart/alternative; boundary="000000000000abcdf105a1b2c3d8"

--000000000000abcdf105a1b2c3d8
Content-Type: text/plain; charset="UTF-8"


** Address not found **

Your message wasn't delivered to ada@gmail.com because the address couldn't be found, or is unable to receive mail.

--000000000000abcdf105a1b2c3d8
Content-Type: text/html; charset="UTF-8"

<html><body><h1>Address not found</h1></body></html>
--000000000000abcdf105a1b2c3d8--
--000000000000abcdf005a1b2c3d7
Content-Type: image/png; name="icon.png"
Content-Disposition: attachment; filename="icon.png"
Content-Transfer-Encoding: base64
Content-ID: <icon.png>

iVBORw0KGgo=
--000000000000abcdf005a1b2c3d7--
--000000000000abcdef05a1b2c3d4
Content-Type: message/delivery-status

Reporting-MTA: dns; googlemail.com
Received-From-MTA: dns; hello@harbour.example
Arrival-Date: Sat, 21 Nov 2026 01:59:59 -0800 (PST)
X-Original-Message-ID: ${messageId}

Final-Recipient: rfc822; ada@gmail.com
Action: failed
Status: 5.1.1
Remote-MTA: dns; gmail-smtp-in.l.google.com. (192.0.2.27, the server for the domain gmail.com.)
Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try
 550-5.1.1 double-checking the recipient's email address for typos or
 550 5.1.1 unnecessary spaces. https://support.google.com/mail/?p=NoSuchUser - gsmtp
Last-Attempt-Date: Sat, 21 Nov 2026 02:00:00 -0800 (PST)

--000000000000abcdef05a1b2c3d4
Content-Type: message/rfc822

From: "Harbour" <hello@harbour.example>
To: ada@gmail.com
Subject: Your visit
Message-ID: ${messageId}

See you on Tuesday

--000000000000abcdef05a1b2c3d4--
`);

export const exchange = (messageId: string): string =>
  CRLF(`From: Microsoft Outlook
	<MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@contoso.onmicrosoft.com>
To: <hello@harbour.example>
Date: Sat, 21 Nov 2026 10:00:00 +0000
Content-Type: multipart/report; report-type=delivery-status;
	boundary="4ee3f8a2-8f3d-4c4e-9a3c-7a3f6c4b9a11"
X-MS-Exchange-Message-Is-Ndr:
Content-Language: en-US
Message-ID: <b1c2d3e4-0000-4b4b-8c8c-aabbccddeeff@contoso.onmicrosoft.com>
In-Reply-To: ${messageId}
References: ${messageId}
Subject: Undeliverable: Your visit
Auto-Submitted: auto-replied
MIME-Version: 1.0

--4ee3f8a2-8f3d-4c4e-9a3c-7a3f6c4b9a11
Content-Type: multipart/alternative; differences=Content-Type;
	boundary="7c3d5f20-1e7c-49fd-9d2d-1d6b5b8f0a22"

--7c3d5f20-1e7c-49fd-9d2d-1d6b5b8f0a22
Content-Type: text/plain; charset="us-ascii"
Content-Transfer-Encoding: quoted-printable

Your message to ada@contoso.example couldn't be delivered.

--7c3d5f20-1e7c-49fd-9d2d-1d6b5b8f0a22--

--4ee3f8a2-8f3d-4c4e-9a3c-7a3f6c4b9a11
Content-Type: message/delivery-status

Reporting-MTA: dns;DB9PR01MB0000.eurprd01.prod.exchangelabs.com
Received-From-MTA: dns;mail.harbour.example
Arrival-Date: Sat, 21 Nov 2026 09:59:59 +0000

Original-Recipient: rfc822;ada@contoso.example
Final-Recipient: rfc822;ada@contoso.example
Action: failed
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@contoso.example not found by SMTP address lookup

--4ee3f8a2-8f3d-4c4e-9a3c-7a3f6c4b9a11
Content-Type: message/rfc822

Received: from mail.harbour.example (192.0.2.9) by
 DB5EUR03FT000.mail.protection.outlook.com (10.152.20.1) with Microsoft SMTP
From: Harbour <hello@harbour.example>
To: <ada@contoso.example>
Subject: Your visit
Message-ID: ${messageId}
MIME-Version: 1.0
Content-Type: text/plain

--4ee3f8a2-8f3d-4c4e-9a3c-7a3f6c4b9a11--
`);
